/* SPDX-License-Identifier: LGPL-2.1-or-later OR MIT */
/*
 * The C library's syscall(), for x86-64, with move_pages(2) taken out of it.
 *
 * Every other number goes on with each argument and the stack as the caller left
 * them. No C function can do that. A system call may return twice (vfork), on
 * another stack (clone), or not at all (rt_sigreturn), and then what a frame of
 * ours had put between the caller and the kernel would be popped by the wrong
 * party.
 */
#include <sys/syscall.h>

#ifdef __CET__
#include <cet.h>
#else
#define _CET_ENDBR
#endif

	.text
	.p2align 4
	.globl	syscall
	.type	syscall, @function
syscall:
	.cfi_startproc
	_CET_ENDBR
	cmpq	$__NR_move_pages, %rdi
	je	pn_syscall_move_pages	/* it has the same arguments */
	jmp	pn_next_syscall
	.cfi_endproc
	.size	syscall, . - syscall

/*
 * The next syscall() in the order of libraries. Until it is known, which is when
 * our constructor has run, the kernel is called from here.
 */
	.p2align 4
	.globl	pn_next_syscall
	.hidden	pn_next_syscall
	.type	pn_next_syscall, @function
pn_next_syscall:
	.cfi_startproc
	movq	pn_next(%rip), %r11
	testq	%r11, %r11
	jz	1f
	jmp	*%r11

	/* Seven arguments of a function to a number and six of the kernel's. */
1:	movq	%rdi, %rax
	movq	%rsi, %rdi
	movq	%rdx, %rsi
	movq	%rcx, %rdx
	movq	%r8, %r10
	movq	%r9, %r8
	movq	8(%rsp), %r9
	syscall
	cmpq	$-4095, %rax
	jae	2f
	ret

2:	negl	%eax
	pushq	%rax
	.cfi_adjust_cfa_offset 8
	call	*__errno_location@GOTPCREL(%rip)
	popq	%rcx
	.cfi_adjust_cfa_offset -8
	movl	%ecx, (%rax)
	movq	$-1, %rax
	ret
	.cfi_endproc
	.size	pn_next_syscall, . - pn_next_syscall

	.section .note.GNU-stack, "", @progbits

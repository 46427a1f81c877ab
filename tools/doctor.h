/* SPDX-License-Identifier: GPL-2.0-only */
/* What "pagenode doctor" finds */
#ifndef PN_DOCTOR_H
#define PN_DOCTOR_H

#include <stdbool.h>
#include <stddef.h>

enum verdict {
	GOOD,
	NOTE,			/* worth knowing, but not in the way */
	BAD,			/* in the way */
};

/**
 * struct finding - the result of a check
 * @verdict: whether it is in the way
 * @text: what was found
 * @remedy: what mends it, or ""
 */
struct finding {
	enum verdict verdict;
	char text[256];
	char remedy[256];
};

/**
 * struct check - something that may be wrong
 * @name: a word
 * @run: looks, and fills the finding in
 */
struct check {
	const char *name;
	void (*run)(struct finding *finding);
};

__attribute__((format(printf, 3, 4)))
void find(struct finding *finding, enum verdict verdict, const char *fmt, ...);
__attribute__((format(printf, 2, 3)))
void mend(struct finding *finding, const char *fmt, ...);

/* The first line of a file, without its end; false, and "", without the file */
bool first_line(const char *path, char *line, size_t size);

/* The kernel's release, as in /lib/modules/RELEASE */
const char *kernel_release(void);

/* doctor_machine.c */
void check_kernel(struct finding *finding);
void check_nodes(struct finding *finding);

/* doctor_module.c */
void check_built(struct finding *finding);
void check_signature(struct finding *finding);
void check_loaded(struct finding *finding);

/* What loads the module, as a remedy */
const char *load_remedy(void);

/* doctor_device.c */
void check_device(struct finding *finding);
void check_abi(struct finding *finding);
void check_answer(struct finding *finding);

#endif /* PN_DOCTOR_H */

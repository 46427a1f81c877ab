// SPDX-License-Identifier: GPL-2.0-only
/*
 * The module's file names each place that calls KCOV: a relocation. What KCOV
 * says is the address behind the call, in the section that the kernel has put
 * somewhere, less what the kernel itself was moved by at boot.
 */
#include "fuzz.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/stat.h>

#define CALL	"__sanitizer_cov_trace_pc"
#define LEN	4	/* of the operand, which the relocation is about */
#define LINKED_AT	0xffffffff81000000ULL

static struct point {
	uint64_t pc;
	const char *function;
	bool reached;
} *points;
static size_t nr_points;
static size_t nr_reached;

static const char *file;
static const Elf64_Shdr *sections;

static const char *section_name(const Elf64_Shdr *s)
{
	const Elf64_Ehdr *header = (const void *)file;

	return file + sections[header->e_shstrndx].sh_offset + s->sh_name;
}

/* What KASLR has added to the address that the kernel was linked at */
static uint64_t moved_by(void)
{
	FILE *symbols = fopen("/proc/kallsyms", "re");
	unsigned long long address;
	char name[64];

	if (!symbols)
		fail("/proc/kallsyms: %s", strerror(errno));
	do {
		if (fscanf(symbols, "%llx %*c %63s%*[^\n]", &address, name) != 2)
			fail("/proc/kallsyms has no _text");
	} while (strcmp(name, "_text"));
	fclose(symbols);
	return address - LINKED_AT;
}

/* Where the kernel has put it; 0 for what is gone after loading. */
static uint64_t section_address(const Elf64_Shdr *s)
{
	char path[128];
	char value[32];

	snprintf(path, sizeof(path), "/sys/module/pagenode/sections/%s",
		 section_name(s));
	if (strstr(path, ".init") || strstr(path, ".exit") || !have_path(path))
		return 0;
	read_file(path, value, sizeof(value));
	return strtoull(value, NULL, 0) - moved_by();
}

/* The function that has the byte of that section */
static const char *function_at(const Elf64_Shdr *symtab, size_t section,
			       uint64_t offset)
{
	const char *names = file + sections[symtab->sh_link].sh_offset;
	const Elf64_Sym *sym = (const void *)(file + symtab->sh_offset);
	size_t i;

	for (i = 0; i < symtab->sh_size / sizeof(*sym); i++)
		if (sym[i].st_shndx == section &&
		    ELF64_ST_TYPE(sym[i].st_info) == STT_FUNC &&
		    offset - sym[i].st_value < sym[i].st_size)
			return names + sym[i].st_name;
	return "?";
}

static void add_points(const Elf64_Shdr *relocations)
{
	const Elf64_Rela *rela = (const void *)(file + relocations->sh_offset);
	const Elf64_Shdr *symtab = &sections[relocations->sh_link];
	const char *names = file + sections[symtab->sh_link].sh_offset;
	const Elf64_Sym *sym = (const void *)(file + symtab->sh_offset);
	uint64_t base = section_address(&sections[relocations->sh_info]);
	size_t i, nr = relocations->sh_size / sizeof(*rela);

	for (i = 0; base && i < nr; i++) {
		if (strcmp(names + sym[ELF64_R_SYM(rela[i].r_info)].st_name,
			   CALL))
			continue;
		points[nr_points++] = (struct point) {
			.pc = base + rela[i].r_offset + LEN,
			.function = function_at(symtab, relocations->sh_info,
						rela[i].r_offset),
		};
	}
}

static int by_pc(const void *a, const void *b)
{
	uint64_t x = ((const struct point *)a)->pc;
	uint64_t y = ((const struct point *)b)->pc;

	return (x > y) - (x < y);
}

size_t points_load(const char *module)
{
	int fd = must(open(module, O_RDONLY | O_CLOEXEC));
	const Elf64_Ehdr *header;
	struct stat st;
	size_t i, nr = 0;

	must(fstat(fd, &st));
	file = mmap(NULL, st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
	must((long)file);
	header = (const void *)file;
	sections = (const void *)(file + header->e_shoff);
	for (i = 0; i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_RELA)
			nr += sections[i].sh_size / sizeof(Elf64_Rela);
	points = calloc(nr + 1, sizeof(*points));
	for (i = 0; points && i < header->e_shnum; i++)
		if (sections[i].sh_type == SHT_RELA)
			add_points(&sections[i]);
	if (points)
		qsort(points, nr_points, sizeof(*points), by_pc);
	return nr_points;
}

bool point_reached(uint64_t pc)
{
	struct point key = { .pc = pc };
	struct point *p = bsearch(&key, points, nr_points, sizeof(*points),
				  by_pc);

	if (!p || p->reached)
		return false;
	p->reached = true;
	nr_reached++;
	return true;
}

size_t points_reached(void)
{
	return nr_reached;
}

void points_print_missing(void)
{
	size_t i = 0, missing, all;
	const char *function;

	while (i < nr_points) {
		function = points[i].function;
		for (missing = all = 0; i < nr_points &&
		     points[i].function == function; i++, all++)
			missing += !points[i].reached;
		if (missing)
			printf("not reached: %zu of %zu in %s\n", missing, all,
			       function);
	}
}

/* SPDX-License-Identifier: GPL-2.0-only */
/*
 * A fuzzer of the module's ABI. An input is a string of bytes that decides on one
 * call, ioctl or netlink message; each answer is judged. Inputs that are answered
 * in a new way, or reach more of the module where the kernel tells, are kept and
 * varied.
 */
#ifndef FUZZ_H
#define FUZZ_H

/* first, for the C library's extensions */
#include "../cases/query.h"

#include "../../fuzz/input.h"

#define MAX_INPUT	96

/* main.c: says what is wrong and with which input, and ends the program. */
void wrong(const char *fmt, ...)
	__attribute__((format(printf, 1, 2), noreturn));

/* corpus.c: inputs, new and kept */
struct bytes {
	uint8_t byte[MAX_INPUT];
	size_t nr;
};

void corpus_seed(uint64_t seed);
/* The seeds of the tree first, then variations of what was kept. */
void corpus_next(struct bytes *input);
void corpus_keep(const struct bytes *input);
size_t corpus_size(void);
void corpus_print(void);
bool parse_hex(const char *hex, struct bytes *input);
void print_hex(char *out, const struct bytes *input);

/* points.c: the places in the module where the compiler put a call of KCOV */
size_t points_load(const char *module);
/* True if the place was not reached before. */
bool point_reached(uint64_t pc);
size_t points_reached(void);
void points_print_missing(void);

/* cover.c. Without KCOV all this does nothing. Returns how many places there are. */
size_t cover_open(void);
void cover_begin(void);
/* How many places were reached for the first time since cover_begin(). */
unsigned int cover_end(void);

/* tally.c: calls by command and by how they ended */
enum command {
	INFO, STATUS, EXTENTS, COUNTS, PAGES, NO_IOCTL,
	GET_INFO, GET_STATS, GET_NODEMAP, NO_REQUEST,
	NR_COMMANDS
};

/* @err is negative or 0. Fails unless it may end so. */
void tally(enum command command, int err);
/* And how much was asked and answered; answers that look new are worth keeping. */
void tally_shape(enum command command, uint64_t asked, uint64_t answered);
/* Was there anything new since the last call of this? */
bool tally_news(void);
void tally_print(void);
/* Fails unless each command has ended in each of its ways. */
void tally_check(void);

/* region.c: memory that stays as it is, and what each page of it is */
extern char *region;
extern size_t region_pages;
#define ANY_STATUS	1000000
void region_open(void);
/* In a child, for it to have the region as it is. */
void region_touch_in_child(void);
/* The status of the page there, or ANY_STATUS outside. */
int region_status(uint64_t addr);
/* Does the kernel still say so? */
void region_check(void);

/* files.c: descriptors of every kind for mm_fd */
struct target {
	int fd;
	int err;	/* what a query with it must end with, or 0 */
	bool ours;	/* its memory has the region */
};

void files_open(void);
struct target choose_target(struct input *in);

/*
 * board.c: pages for arguments, lists and results, writable ones beside others.
 * All of them can be read and written at @alias.
 */
struct board {
	const char *pages;	/* one letter a page: w, r, '.' hole, '-' none */
	size_t size;
	char *view;
	char *alias;
	char *shadow;		/* what it held before the call */
};

extern struct board args, lists, outs;
void boards_open(void);
/* An address in or near a writable part, for @len bytes */
uint64_t choose_place(struct input *in, const struct board *b, uint64_t len);
/* An address that is nobody's */
uint64_t choose_bad(struct input *in);
bool on_board(const struct board *b, uint64_t addr, uint64_t len);
bool can_read(uint64_t addr, uint64_t len);
bool can_write(uint64_t addr, uint64_t len);
/* Where what is on the board at @addr can be reached. */
char *board_at(const struct board *b, uint64_t addr);
/* As much of it as is on the board */
void board_put(const struct board *b, uint64_t addr, const void *from,
	       size_t len);
void board_get(const struct board *b, uint64_t addr, void *to, size_t len);
/* A large writable array with nothing behind it, which is not watched */
uint64_t big_place(void);
/* Reads what a call has written, wherever that is. */
void memory_get(uint64_t addr, void *to, size_t len);
/* What the boards hold now; these bytes may change; have others changed? */
void boards_save(void);
void boards_allow(uint64_t addr, uint64_t len);
void boards_check(void);

/* racer.c: a thread that changes a word between two values all the time */
void racer_start(char *word, uint64_t other);
void racer_stop(void);

/**
 * struct call - an ioctl that is about to be made
 * @request: the command
 * @command: what it is
 * @arg: where the argument is
 * @q: what is there
 * @known: bytes of the argument that the module knows
 * @beyond: a byte after these is not 0
 * @target: whom it asks
 * @list: the addresses of a PAGES query, or NULL if they are not known
 * @raced: its argument changes meanwhile
 */
struct call {
	unsigned long request;
	enum command command;
	uint64_t arg;
	struct pagenode_query q;
	size_t known;
	bool beyond;
	struct target target;
	const uint64_t *list;
	bool raced;
};

#define QUERY_SIZE	sizeof(struct pagenode_query)
#define QUERY_RESULTS	offsetof(struct pagenode_query, out_count)

/* What the region makes the answer to a call, if that is @known. */
struct region_answer {
	bool known;
	uint64_t nr_extents;
	uint64_t nr_nodes;
	uint64_t nr_enoent;
	uint64_t count[1024];
};

const struct region_answer *region_answer(const struct call *call);
extern unsigned int nr_node_ids;

/* choose.c: makes a call of the bytes */
void choose_call(struct input *in, struct call *call);
/* call.c: makes it, and judges */
void fuzz_ioctl(struct input *in);
/* errors.c: whether it may end so */
void judge_error(const struct call *call, int err);
/* answers.c: whether what it has written is right */
void judge_answer(const struct call *call, const struct pagenode_query *after,
		  int err);

/* message.c: makes a netlink message of the bytes; returns its length */
size_t choose_message(struct input *in, uint16_t family, void *buf,
		      size_t size);
/* netlink.c: sends one, and judges all that answers it */
void netlink_open(void);
void fuzz_netlink(struct input *in);

#endif /* FUZZ_H */

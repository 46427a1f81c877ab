// SPDX-License-Identifier: GPL-2.0-only
#include <ctype.h>
#include <stdio.h>

#include "report.h"

/* The ratio as the rule speaks of it */
static double rule_ratio(const struct figure *f)
{
	return f->rule.kind == RULE_WITHIN ? 1 / f->ratio : f->ratio;
}

static bool rule_reached(const struct figure *f)
{
	switch (f->rule.kind) {
	case RULE_FASTER:
		return rule_ratio(f) >= f->rule.limit;
	case RULE_WITHIN:
		return rule_ratio(f) <= f->rule.limit;
	case RULE_AT_MOST:
		return f->ours <= f->rule.limit;
	default:
		return true;
	}
}

static const char *rule_text(char text[16], const struct rule *rule)
{
	static const char *const formats[] = {
		[RULE_NONE] = "",
		[RULE_FASTER] = ">=%gx",
		[RULE_WITHIN] = "<=%gx",
		[RULE_AT_MOST] = "<=%g",
	};

	snprintf(text, 16, formats[rule->kind], rule->limit);
	return text;
}

static const char *verdict(const struct figure *f)
{
	if (f->missing)
		return "missing";
	if (f->wrong)
		return "WRONG";
	if (f->rule.kind == RULE_NONE)
		return "";
	return rule_reached(f) ? "reached" : "MISSED";
}

static void text_figure(const struct figure *f)
{
	char ours[16], theirs[16], ratio[16], rule[16], times[18];

	printf("%-9s%-18s", f->question, f->subject);
	if (f->missing) {
		printf("%7s  %s\n", "-", f->missing);
		return;
	}
	snprintf(times, sizeof(times), "%sx",
		 number_text(ratio, rule_ratio(f)));
	printf("%6s  %-13s%7s %7s %7s %s\n", number_text(ours, f->ours),
	       f->against ? f->against : "",
	       f->against ? number_text(theirs, f->theirs) : "",
	       f->against ? times : "", rule_text(rule, &f->rule), verdict(f));
}

static void json_figure(const struct figure *f)
{
	char text[16];

	printf("\t\t\t{ \"question\": \"%s\", \"subject\": \"%s\"", f->question,
	       f->subject);
	if (f->missing) {
		printf(", \"missing\": \"%s\" }", f->missing);
		return;
	}
	printf(", \"cost\": %s", number_text(text, f->ours));
	if (f->against) {
		printf(", \"against\": \"%s\"", f->against);
		printf(", \"its_cost\": %s", number_text(text, f->theirs));
		printf(", \"ratio\": %s", number_text(text, rule_ratio(f)));
	}
	if (f->rule.kind != RULE_NONE || f->wrong)
		printf(", \"target\": \"%s\", \"verdict\": \"%s\"",
		       rule_text(text, &f->rule), verdict(f));
	printf(" }");
}

/* Words of small letters, joined by dashes */
static void print_slug(const char *text)
{
	bool dash = false;

	for (; *text; text++) {
		if (!isalnum((unsigned char)*text)) {
			dash = true;
			continue;
		}
		if (dash)
			putchar('-');
		putchar(tolower((unsigned char)*text));
		dash = false;
	}
}

static void print_name(const struct report *r, const struct figure *f)
{
	printf("%s/", r->name);
	print_slug(f->question);
	putchar('-');
	print_slug(f->subject);
}

static void verdict_figure(const struct report *r, const struct figure *f)
{
	char ours[16];

	fputs(f->missing ? "SKIP " :
	      f->wrong || !rule_reached(f) ? "FAIL " : "PASS ", stdout);
	print_name(r, f);
	if (f->missing)
		printf(": %s\n", f->missing);
	else if (f->wrong)
		printf(": the answer is wrong\n");
	else
		printf(": %s instructions a page, at most %g\n",
		       number_text(ours, f->ours), f->rule.limit);
}

static void text_heading(const struct report *r)
{
	printf("%s, %s,\non %s\n", r->kernel, r->machine, r->cpu);
	if (r->method)
		printf("%s\n\n", r->method);
}

/* The lines of a text in one */
static void print_joined(const char *text)
{
	for (; *text; text++)
		putchar(*text == '\n' ? ' ' : *text);
}

static void json_heading(const struct report *r)
{
	printf("{\n\t\t\"kernel\": \"%s\",\n", r->kernel);
	printf("\t\t\"machine\": \"%s\",\n", r->machine);
	printf("\t\t\"cpu\": \"%s\",\n", r->cpu);
	printf("\t\t\"method\": \"");
	print_joined(r->method);
	printf("\",\n");
	printf("\t\t\"unit\": \"%s\",\n\t\t\"rows\": [", r->unit);
}

void report_heading(const struct report *r)
{
	/* A person sees each row when it is there, and not all at the end. */
	setvbuf(stdout, NULL, _IOLBF, 0);

	if (r->format == REPORT_JSON)
		json_heading(r);
	else if (r->format == REPORT_TEXT)
		text_heading(r);
}

void report_begin(struct report *r)
{
	report_heading(r);
	if (r->format == REPORT_TEXT)
		printf("%-9s%-18s%6s  %-13s%7s %7s %7s\n", "question", "about",
		       "cost", "against", "cost", "ratio", "target");
}

void report_figure(struct report *r, const struct figure *f)
{
	switch (r->format) {
	case REPORT_TEXT:
		text_figure(f);
		break;
	case REPORT_JSON:
		puts(r->rows ? "," : "");
		json_figure(f);
		break;
	case REPORT_VERDICTS:
		verdict_figure(r, f);
		break;
	}
	r->rows++;
	r->wrong += f->wrong;
	r->missed += !f->missing && !f->wrong && !rule_reached(f);
}

int report_end(struct report *r)
{
	if (r->format == REPORT_JSON)
		printf("\n\t\t]\n\t}\n");
	else if (r->format == REPORT_TEXT)
		printf("\n%u rows, %u of them missed the target\n", r->rows,
		       r->missed);
	return r->wrong || (r->format == REPORT_VERDICTS && r->missed);
}

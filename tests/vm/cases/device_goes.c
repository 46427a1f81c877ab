// SPDX-License-Identifier: GPL-2.0-only
/*
 * A device goes while its memory is mapped, and asked about. That memory shares a
 * section with RAM, and for as long as the device takes to go, later kernels'
 * pfn_to_online_page() takes it for online.
 */
#include "case.h"

#include <stdatomic.h>

#include "query.h"

#define DRIVER		"/sys/bus/nd/drivers/nd_pmem/"
#define NAMESPACE	"namespace0.0"
#define NR_PAGES	(8 * HUGE_PAGES)
#define NR_AFTERWARDS	100
#define MAX_WAITS	1000

static void *unbind(void *gone)
{
	usleep(100000);
	write_file(DRIVER "unbind", NAMESPACE);
	atomic_store((atomic_bool *)gone, true);
	return NULL;
}

static void bind_again(void)
{
	int i;

	write_file(DRIVER "bind", NAMESPACE);
	for (i = 0; !have_pmem(); i++) {
		if (i == MAX_WAITS)
			fail("the device does not come back");
		usleep(10000);
	}
}

static void device_goes(void)
{
	atomic_bool gone = false;
	pthread_t thread;
	char *p;
	int fd;
	int i;

	if (!have_pmem())
		skip("this guest has no persistent memory");
	fd = new_pmem_file("dax", NR_PAGES * PAGE);
	p = map_huge_aligned(NR_PAGES * PAGE);
	must((long)mmap(p, NR_PAGES * PAGE, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_FIXED, fd, 0));
	touch(p, NR_PAGES * PAGE);
	thread = start_thread(unbind, &gone);
	while (!atomic_load(&gone))
		expect("a device that goes", p, NR_PAGES, DEVICE, 0);
	for (i = 0; i < NR_AFTERWARDS; i++)
		expect("a device that went", p, NR_PAGES, DEVICE, 0);
	pthread_join(thread, NULL);
	must(munmap(p, NR_PAGES * PAGE));
	close(fd);
	bind_again();
}

const struct test_case device_goes_cases[] = {
	{ "case13-device-goes", device_goes },
	{ NULL, NULL },
};

/* SPDX-License-Identifier: (GPL-2.0-only WITH Linux-syscall-note) OR MIT */
/*
 * The release. The module, the library and the Makefile read it here. Who can't
 * (dkms.conf, the changelogs, the packages) repeats it, and tests/lint compares.
 */
#ifndef PAGENODE_VERSION_H
#define PAGENODE_VERSION_H

#define PAGENODE_VERSION "0.1.0"

#endif /* PAGENODE_VERSION_H */

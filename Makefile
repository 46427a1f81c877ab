# SPDX-License-Identifier: GPL-2.0-only
#
# make help lists the targets. What is built goes to build/, but for the
# module: kbuild works in module/.
#
# Both headers are named pagenode.h, after what they describe: include/ has the
# library's and include/uapi/ the ioctls'. They are installed as they lie here,
# into a directory of their own that pkg-config names. So the second is
# <uapi/pagenode.h> everywhere, and neither /usr/include/linux, which is the
# kernel's, nor a /usr/include/uapi for all is touched.

PREFIX ?= /usr/local
BINDIR ?= $(PREFIX)/bin
LIBDIR ?= $(PREFIX)/lib
INCLUDEDIR ?= $(PREFIX)/include/pagenode
MANDIR ?= $(PREFIX)/share/man
COMPLETIONDIR ?= $(PREFIX)/share/bash-completion/completions
KDIR ?= /lib/modules/$(shell uname -r)/build

# For the module: where udev and systemd look, and where DKMS does. The sources
# in the last are copied by hand or by a package, so no PREFIX.
UDEVDIR ?= $(PREFIX)/lib/udev
MODULESLOADDIR ?= $(PREFIX)/lib/modules-load.d
DKMSDIR = $(DESTDIR)/usr/src/pagenode-$(VERSION)

CFLAGS ?= -O2 -g
INSTALL ?= install

VERSION := $(shell sed -n 's/^.define PAGENODE_VERSION "\(.*\)"/\1/p' \
	include/pagenode_version.h)

B := build
SONAME := libpagenode.so.1
ALL_CFLAGS = -std=gnu11 -Wall -Wextra -Wmissing-prototypes $(WERROR) \
	-I. -Iinclude $(CPPFLAGS) $(CFLAGS) $(SANITIZE) -MMD -MP

LIB_SRC := $(wildcard libpagenode/*.c)
PRELOAD_SRC := $(wildcard libpagenode/preload/*.[cS])
EXAMPLES := $(patsubst %.c,$(B)/%,$(wildcard examples/*.c))
TOOL_SRC := $(wildcard tools/*.c)

# The command needs libraries that the module and libpagenode do not. Where they
# are missing, "all" and "install" leave the command out, and "tools" says why.
TOOL_LIBS := libmnl jansson
TOOLS ?= $(shell pkg-config --exists $(TOOL_LIBS) 2>/dev/null && echo yes)
PRELOAD_PATH := $(LIBDIR)/pagenode/libpagenode-preload.so

tool_tests = $(if $(TOOLS),$1,$(filter-out tests/unit/tool_%,$1))
UNIT_SRC := $(call tool_tests,$(wildcard tests/unit/*_test.c))
UNIT_SCRIPTS := $(call tool_tests,$(wildcard tests/unit/*_test))

MAN := $(wildcard man/*.[2-9] $(if $(TOOLS),man/*.1))
DKMS_FILES := dkms.conf Makefile LICENSES/GPL-2.0-only.txt \
	packaging/dkms-autoinstall packaging/dkms-setup \
	include/pagenode_version.h \
	module/Kbuild $(wildcard include/uapi/*.h) \
	$(filter-out %.mod.c,$(wildcard module/*.[ch] module/probes/*.c))
man_path = $(DESTDIR)$(MANDIR)/man$(subst .,,$(suffix $1))/$(notdir $1)

# What programs are given by LD_PRELOAD. It stands in for a system call of x86-64.
# Without a compiler, what needs none goes on in silence.
PRELOAD := $(if $(filter 2,$(shell $(CC) $(CFLAGS) -dM -E -x c /dev/null 2>/dev/null | \
	grep -cwE '__x86_64__|__LP64__')),$(B)/libpagenode-preload.so)
preload_objs = $(addprefix $(B)/preload/,$(addsuffix .o,\
	$(basename $(notdir $(PRELOAD_SRC)))))

# A program links the library of its own build: plain, or with sanitizers.
lib_objs = $(LIB_SRC:libpagenode/%.c=$1/lib/%.o)
unit_programs = $(UNIT_SRC:tests/unit/%.c=$1/unit/%)

.PHONY: all help lib tools module install install-tools uninstall
.PHONY: install-module install-conf uninstall-conf install-dkms uninstall-dkms
.PHONY: install-dkms-sources demo pictures check check-debug check-dkms
.PHONY: check-mutants bench bench-icount bench-decode bench-plot examples unit
.PHONY: fuzz fuzz-abi lint clean dist deb rpm FORCE
.DELETE_ON_ERROR:
.SECONDARY:

all: lib $(if $(TOOLS),tools) module ## the library, the command and the module

help: ## this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1\t\2/p' Makefile | expand -t 20
	@echo 'Variables: PREFIX BINDIR LIBDIR INCLUDEDIR MANDIR COMPLETIONDIR' \
		'DESTDIR KDIR CC CFLAGS TOOLS'

lib: ## the library, static and shared, and the one to preload
lib: $(B)/libpagenode.a $(B)/$(SONAME) $(PRELOAD)

$(B)/asan/%: SANITIZE := -fsanitize=address,undefined -fno-sanitize-recover=all

define compile_lib
@mkdir -p $(@D)
$(CC) $(ALL_CFLAGS) -fPIC -fvisibility=hidden -c -o $@ $<
endef

$(call lib_objs,$(B)): $(B)/lib/%.o: libpagenode/%.c
	$(compile_lib)

$(call lib_objs,$(B)/asan): $(B)/asan/lib/%.o: libpagenode/%.c
	$(compile_lib)

$(B)/libpagenode.a: $(call lib_objs,$(B))
$(B)/asan/libpagenode.a: $(call lib_objs,$(B)/asan)
%/libpagenode.a:
	$(AR) rcs $@ $^

$(B)/$(SONAME): $(call lib_objs,$(B)) libpagenode/libpagenode.map
	$(CC) -shared -Wl,-soname,$(SONAME) -Wl,-z,defs \
		-Wl,--version-script=libpagenode/libpagenode.map \
		$(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o,$^)

examples: $(EXAMPLES) ## the example programs, in build/examples

$(B)/examples/%: examples/%.c $(B)/libpagenode.a
	@mkdir -p $(@D)
	$(CC) $(ALL_CFLAGS) $(LDFLAGS) -o $@ $(filter %.c %.a,$^)

$(B)/preload/%.o: libpagenode/preload/%.c
	$(compile_lib)

$(B)/preload/%.o: libpagenode/preload/%.S
	$(compile_lib)

# Without lazy binding: it may be called from where the linker must not be.
$(B)/libpagenode-preload.so: $(preload_objs) $(B)/libpagenode.a \
		libpagenode/preload/preload.map
	$(CC) -shared -Wl,-z,defs -Wl,-z,now -Wl,-z,relro \
		-Wl,--version-script=libpagenode/preload/preload.map \
		$(CFLAGS) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) -ldl

tools: ## the command "pagenode"
	@pkg-config --exists $(TOOL_LIBS) || { \
		echo 'The command takes pkg-config, libmnl and jansson. On Debian:' \
		'apt install pkgconf libmnl-dev libjansson-dev' >&2; exit 1; }
	@$(MAKE) --no-print-directory $(B)/pagenode

define compile_tool
@mkdir -p $(@D)
$(CC) $(ALL_CFLAGS) $(shell pkg-config --cflags $(TOOL_LIBS)) \
	-DPN_PRELOAD='"$(PRELOAD_PATH)"' -c -o $@ $<
endef

define link_tool
$(CC) $(CFLAGS) $(SANITIZE) $(LDFLAGS) -o $@ $(filter %.o %.a,$^) \
	$(shell pkg-config --libs $(TOOL_LIBS))
endef

tool_objs = $(TOOL_SRC:tools/%.c=$1/tools/%.o)

$(call tool_objs,$(B)): $(B)/tools/%.o: tools/%.c
	$(compile_tool)

$(call tool_objs,$(B)/asan): $(B)/asan/tools/%.o: tools/%.c
	$(compile_tool)

# "make install" may name another place than "make" did.
$(B)/tools/cmd_run.o: $(B)/preload-path
$(B)/preload-path: FORCE
	@mkdir -p $(@D)
	@echo '$(PRELOAD_PATH)' | cmp -s - $@ || echo '$(PRELOAD_PATH)' > $@

$(B)/pagenode: $(call tool_objs,$(B)) $(B)/libpagenode.a
	$(link_tool)

$(B)/asan/pagenode: $(call tool_objs,$(B)/asan) $(B)/asan/libpagenode.a
	$(link_tool)

# A kernel built with clang takes options that gcc does not know, and the
# reverse. Who names a compiler gets it. LLVM alone, which kbuild takes as the
# place or the version, is not enough: Debian's headers name a CC of their own.
kdir_has = $(shell grep -sx CONFIG_$1=y $(KDIR)/include/config/auto.conf)
kbuild_compiler = $(if $(filter command,$(origin CC)),, \
	$(if $(call kdir_has,CC_IS_CLANG), \
		CC=$(filter %/,$(LLVM))clang$(filter -%,$(LLVM)) \
		$(if $(call kdir_has,LD_IS_LLD),LLVM=$(or $(LLVM),1))))

module: ## pagenode.ko for the kernel whose build tree is KDIR
	@test -e $(KDIR)/Makefile || { \
		echo 'No kernel build tree at $(KDIR).' \
		'Install the headers of that kernel, or give KDIR=.' >&2; \
		exit 1; }
	$(MAKE) -C $(KDIR) M=$(CURDIR)/module $(kbuild_compiler) modules

install: lib $(if $(TOOLS),install-tools) ## the library, its headers, the command and manual pages
	$(INSTALL) -d $(DESTDIR)$(LIBDIR)/pkgconfig
	$(INSTALL) -m 644 $(B)/libpagenode.a $(DESTDIR)$(LIBDIR)
	$(INSTALL) -m 755 $(B)/$(SONAME) $(DESTDIR)$(LIBDIR)
	ln -sf $(SONAME) $(DESTDIR)$(LIBDIR)/libpagenode.so
	$(if $(PRELOAD),$(INSTALL) -D -m 755 $(PRELOAD) \
		$(DESTDIR)$(PRELOAD_PATH))
	sed -e 's,@PREFIX@,$(PREFIX),' -e 's,@VERSION@,$(VERSION),' \
		-e 's,@LIBDIR@,$(LIBDIR:$(PREFIX)/%=$${prefix}/%),' \
		-e 's,@INCLUDEDIR@,$(INCLUDEDIR:$(PREFIX)/%=$${prefix}/%),' \
		libpagenode/libpagenode.pc.in \
		> $(DESTDIR)$(LIBDIR)/pkgconfig/libpagenode.pc
	chmod 644 $(DESTDIR)$(LIBDIR)/pkgconfig/libpagenode.pc
	$(INSTALL) -d $(DESTDIR)$(INCLUDEDIR)/uapi
	$(INSTALL) -m 644 include/pagenode.h $(DESTDIR)$(INCLUDEDIR)
	$(INSTALL) -m 644 include/uapi/pagenode.h include/uapi/pagenode_genl.h \
		$(DESTDIR)$(INCLUDEDIR)/uapi
	$(foreach page,$(MAN),\
		$(INSTALL) -D -m 644 $(page) $(call man_path,$(page)) &&) :

install-tools: tools
	$(INSTALL) -D -m 755 $(B)/pagenode $(DESTDIR)$(BINDIR)/pagenode
	$(INSTALL) -D -m 644 tools/completion/pagenode \
		$(DESTDIR)$(COMPLETIONDIR)/pagenode

uninstall: ## what install put there
	rm -f $(DESTDIR)$(LIBDIR)/libpagenode.a $(DESTDIR)$(LIBDIR)/$(SONAME) \
		$(DESTDIR)$(LIBDIR)/libpagenode.so \
		$(DESTDIR)$(PRELOAD_PATH) \
		$(DESTDIR)$(LIBDIR)/pkgconfig/libpagenode.pc
	rm -f $(DESTDIR)$(INCLUDEDIR)/pagenode.h \
		$(DESTDIR)$(INCLUDEDIR)/uapi/pagenode.h \
		$(DESTDIR)$(INCLUDEDIR)/uapi/pagenode_genl.h
	-rmdir $(DESTDIR)$(LIBDIR)/pagenode $(DESTDIR)$(INCLUDEDIR)/uapi \
		$(DESTDIR)$(INCLUDEDIR) 2>/dev/null
	rm -f $(DESTDIR)$(BINDIR)/pagenode $(DESTDIR)$(COMPLETIONDIR)/pagenode
	rm -f $(foreach page,$(wildcard man/*.[1-9]),$(call man_path,$(page)))

# With the module and not with the library, which containers have alone: there
# is nothing to load there.
install-conf:
	$(INSTALL) -d $(DESTDIR)$(UDEVDIR)/rules.d $(DESTDIR)$(MODULESLOADDIR)
	$(INSTALL) -m 644 packaging/udev/60-pagenode.rules \
		$(DESTDIR)$(UDEVDIR)/rules.d
	$(INSTALL) -m 644 packaging/modules-load.d/pagenode.conf \
		$(DESTDIR)$(MODULESLOADDIR)

# Once, for one kernel. DKMS follows the kernel's updates.
install-module: module install-conf ## the module, without DKMS
	$(MAKE) -C $(KDIR) M=$(CURDIR)/module \
		$(if $(DESTDIR),INSTALL_MOD_PATH=$(DESTDIR)) modules_install

# dkms copies what it is given: these files, and nothing that was built here.
install-dkms-sources:
	$(foreach file,$(DKMS_FILES),$(INSTALL) -D \
		-m $(if $(filter packaging/%,$(file)),755,644) $(file) \
		$(DKMSDIR)/$(file) &&) :

install-dkms: ## the module through DKMS, in the place of any older version
	packaging/dkms-setup remove
	$(MAKE) install-dkms-sources install-conf
	packaging/dkms-setup install $(VERSION)

uninstall-dkms: ## what install-dkms put there
	packaging/dkms-setup remove
	$(MAKE) uninstall-conf

uninstall-conf:
	rm -f $(DESTDIR)$(UDEVDIR)/rules.d/60-pagenode.rules \
		$(DESTDIR)$(MODULESLOADDIR)/pagenode.conf

dist: ## build/pagenode-VERSION.tar.xz, the release
	@packaging/dist pagenode-$(VERSION) $(B)/pagenode-$(VERSION).tar.xz

# In build/deb and build/rpm, from the release.
deb: dist ## the Debian packages
	rm -rf $(B)/deb && mkdir $(B)/deb
	tar -xf $(B)/pagenode-$(VERSION).tar.xz -C $(B)/deb
	cp $(B)/pagenode-$(VERSION).tar.xz \
		$(B)/deb/pagenode_$(VERSION).orig.tar.xz
	cd $(B)/deb/pagenode-$(VERSION) && cp -r packaging/debian . && \
		dpkg-buildpackage -us -uc

# Debian's rpm knows neither the build's dependencies nor systemd's macros.
RPMFLAGS = $(if $(wildcard /etc/debian_version),--nodeps \
	-D '_udevrulesdir /usr/lib/udev/rules.d' \
	-D '_modulesloaddir /usr/lib/modules-load.d')

rpm: dist ## the RPM packages
	@command -v rpmbuild >/dev/null && pkg-config --exists $(TOOL_LIBS) || { \
		echo 'The RPM packages take rpmbuild, pkg-config, libmnl and jansson.' \
		'On Debian: apt install rpm pkgconf libmnl-dev libjansson-dev' >&2; \
		exit 1; }
	rm -rf $(B)/rpm && mkdir -p $(B)/rpm/SOURCES
	cp $(B)/pagenode-$(VERSION).tar.xz $(B)/rpm/SOURCES
	rpmbuild $(RPMFLAGS) -D '_topdir $(CURDIR)/$(B)/rpm' -ba packaging/rpm/pagenode.spec

demo: ## boot a kernel with the module and compare it with move_pages
	@tests/vm/demo

pictures: ## what "pagenode map" shows of a process in a guest, in doc/pictures
	@tests/vm/pictures

check: ## the tests, but for the long ones: check-dkms, check-debug, check-mutants
	@tests/check

check-dkms: ## the module through DKMS, on three releases of Debian
	@status=0; tests/dkms/run || status=1; \
	tests/dkms/rpm || status=1; exit $$status

# Many times slower than other kernels, and each is first built.
check-debug: export PN_CASE_LIMIT=3000
check-debug: export PN_BOOT_LIMIT=14400
check-debug: ## the cases on kernels that look for their own bugs
	@status=0; \
	PN_JOBS=1 STRESS_SECONDS=600 tests/vm/run --window \
		--kernel 7.3-debug --kernel 7.3-kcsan || status=1; \
	tests/vm/lost-locks || status=1; \
	$(MAKE) -s fuzz-abi || status=1; \
	exit $$status

check-mutants: ## whether the tests notice a change of the module, at one place at a time
	@tests/mutants/run

bench: ## the benchmark: times, instructions, threads, locks and decode.h
	@tests/bench/run

bench-icount: ## instructions a page, which no noise moves
	@tests/bench/run icount

bench-decode: ## decode.h on this machine, without a kernel
	@tests/bench/run decode

bench-plot: ## cost by size of range and of folio, drawn in doc/bench
	@tests/bench/plot

lint: ## the static checkers
	@tests/lint

unit: ## the tests that need no module
unit: lib examples $(if $(TOOLS),tools $(B)/asan/pagenode)
unit: $(call unit_programs,$(B)) $(call unit_programs,$(B)/asan)
	@status=0; \
	tests/unit/run unit $(call unit_programs,$(B)) $(UNIT_SCRIPTS) || status=1; \
	tests/unit/run unit-asan $(call unit_programs,$(B)/asan) || status=1; \
	exit $$status

fuzz: ## random input for the library, for a minute, and for decode.h
	@tests/fuzz/run

# The rig builds the programs of its guests when it lists their cases.
fuzz-abi: ## a million random calls of the module, on a kernel that is slow
	@tests/vm/run --list >/dev/null
	@PN_BOOT_LIMIT=14400 tests/vm/run --kernel 7.3-debug \
		--program $(B)/vm/programs/fuzz --calls 1000000

# What these tests put in the place of libc's functions.
%_device_test: WRAP := -Wl,--wrap=open,--wrap=ioctl,--wrap=malloc
%/unit/tool_present_test: WRAP := -Wl,--wrap=ioctl

# Parts of the module, in a kernel that is in tests/unit/kernel
%/unit/walk_test %/unit/nodemap_test: CPPFLAGS += -idirafter tests/unit/kernel
# Of several sources at once, -MMD tells about the last one only.
$(foreach b,$(B) $(B)/asan,$(b)/unit/walk_test $(b)/unit/nodemap_test): \
	$(wildcard module/*.h tests/unit/kernel/*.h tests/unit/kernel/*/*.h)
$(B)/unit/walk_test $(B)/asan/unit/walk_test: module/walk.c tests/unit/kernel/space.c
$(B)/unit/nodemap_test $(B)/asan/unit/nodemap_test: module/nodemap.c

# The parts of the command that a test of it is linked with
tool_parts = $(filter-out %/pagenode.o,$(call tool_objs,$1))
tool_units = $(filter $1/unit/tool_%,$(call unit_programs,$1))
$(call tool_units,$(B)): $(call tool_parts,$(B))
$(call tool_units,$(B)/asan): $(call tool_parts,$(B)/asan)
$(call tool_units,$(B)) $(call tool_units,$(B)/asan): \
	UNIT_LIBS = $(shell pkg-config --libs $(TOOL_LIBS))

define build_unit
@mkdir -p $(@D)
$(CC) $(ALL_CFLAGS) $(LDFLAGS) $(WRAP) -o $@ $(filter %.c %.o,$^) \
	$(filter %.a,$^) $(UNIT_LIBS) -pthread
endef

$(B)/unit/%: tests/unit/%.c $(B)/libpagenode.a
	$(build_unit)

$(B)/asan/unit/%: tests/unit/%.c $(B)/asan/libpagenode.a
	$(build_unit)

clean: ## remove what was built
	rm -rf $(B)
	@test ! -e $(KDIR)/Makefile || \
		$(MAKE) -s -C $(KDIR) M=$(CURDIR)/module clean

-include $(foreach dir,lib preload tools unit asan/lib asan/tools asan/unit \
	examples,$(wildcard $(B)/$(dir)/*.d))

# SPDX-License-Identifier: GPL-3.0-or-later
# fcap (records), fcap-guest (tells of a guest from inside), fanalyze (reports). `make help` lists the targets.
PKG_CONFIG ?= pkg-config
CFLAGS     ?= -O2 -g
comma      := ,
# objects of each set of instruments live apart: make SAN=address,undefined check-unit
B          := build$(if $(SAN),-$(subst $(comma),-,$(SAN)))
Q          := $(if $(V),,@)

WARN := -Wall -Wextra -Wpedantic -Wshadow -Wstrict-prototypes -Wmissing-prototypes \
	-Wpointer-arith -Wwrite-strings -Wvla -Wformat=2 -Wundef $(if $(WERROR),-Werror)
INSTRUMENT := $(if $(SAN),-fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer)
# with -O2 fanalyze is optimised as a whole where the compiler can, for its speed; its objects hold
# code as usual too, for the tests, each of which would take seconds more
WHOLE := $(if $(SAN),,$(if $(filter -O2,$(CFLAGS)),$(shell echo 'int main(void) { return 0; }' | \
	$(CC) -Werror -flto=auto -ffat-lto-objects -x c -o /dev/null - 2>/dev/null && \
	echo -O3 -flto=auto -ffat-lto-objects)))
# other people's headers are system headers: their warnings are not ours
cflags = $(patsubst -I%,-isystem %,$(shell $(PKG_CONFIG) --cflags $(1) 2>/dev/null))
libs   = $(shell $(PKG_CONFIG) --libs $(1))

CAPTURE_PC := libtracefs libtraceevent jansson libzstd
ANALYZE_PC := gsl jansson libxxhash libzstd zlib
TEST_PC    := cmocka libtracecmd
capture_SRC  := $(wildcard capture/*.c)
guest_SRC    := $(wildcard capture/guest/*.c)
# a library that others load: no part of fanalyze
plugin_SRC   := $(wildcard analyze/plugin/*.c)
analyze_SRC  := $(filter-out $(plugin_SRC),$(wildcard analyze/*.c analyze/*/*.c plot/*.c))
unit_SRC     := $(wildcard tests/unit/*.c)
testlib_SRC  := $(wildcard tests/lib/*.c)
preload_SRC  := $(wildcard tests/preload/*.c)
helper_SRC   := $(wildcard tests/bench/*.c tests/corpus/*.c tests/coverage/*.c)
fuzz_SRC     := $(wildcard tests/fuzz/*.c)
fuzzlib_SRC  := tests/fuzz/lib/target.c
obj = $(patsubst %.c,$(B)/%.o,$(1))
capture_OBJ := $(call obj,$(capture_SRC))
guest_OBJ   := $(call obj,$(guest_SRC))
analyze_OBJ := $(call obj,$(analyze_SRC))
testlib_OBJ := $(call obj,$(testlib_SRC))
HELPERS     := $(patsubst %.c,$(B)/%,$(helper_SRC))
UNITS       := $(patsubst %.c,$(B)/%,$(unit_SRC))
FUZZERS     := $(patsubst %.c,$(B)/%,$(fuzz_SRC))
SEEDS       := $(B)/tests/fuzz/lib/seeds
fuzzlib_OBJ := $(call obj,$(fuzzlib_SRC))
PRELOADS    := $(patsubst %.c,$(B)/%.so,$(preload_SRC))
capture_LIB := $(B)/capture.a
analyze_LIB := $(B)/analyze.a
plugin_OBJ  := $(call obj,$(plugin_SRC))
PLUGIN      := $(B)/plugin_fcap.so
CC_OBJ = $(CC) -Iinclude -I. -D_GNU_SOURCE $(PKGS) $(CPPFLAGS) -std=gnu11 -ffp-contract=off \
	$(WARN) $(INSTRUMENT) $(CFLAGS) $(OBJ_WHOLE)

PREFIX ?= /usr/local
# where libtraceevent looks: its own folder, or its user's
plugindir ?= $(if $(filter $(HOME)/%,$(PREFIX)),$(HOME)/.local/lib,$(shell \
	$(PKG_CONFIG) --variable=libdir libtraceevent))/traceevent/plugins
bindir ?= $(PREFIX)/bin
mandir ?= $(PREFIX)/share/man
bashdir ?= $(PREFIX)/share/bash-completion/completions
zshdir ?= $(PREFIX)/share/zsh/site-functions
TOOLS  := fcap fcap-guest fanalyze
# what perf runs for "perf fcap" and "perf fanalyze", and its manual shows for "perf fcap --help"
OF_PERF := fcap fanalyze
# the fields of the JSON are told by the program that writes it
FIELDS := $(B)/fcap-report.5
PAGES  := $(wildcard capture/*.[157] analyze/*.[157]) $(FIELDS)
# man1/fcap.1 of capture/fcap.1
page_of = $(patsubst %,man$(subst .,,$(suffix $(1)))/%,$(notdir $(1)))

# the guest of the sample VM is x86-64 code
PROGRAMS := $(TOOLS:%=$(B)/%) $(PLUGIN) $(B)/samples/coretag $(B)/samples/spin \
	$(if $(filter x86_64,$(shell uname -m)),$(B)/samples/microvm)

all: $(PROGRAMS) $(FIELDS) ## build the programs, the sample VM and the generated page

# a sentence instead of the compiler's complaints where libraries are missing
HAS_LIBS := $(shell $(PKG_CONFIG) --exists $(CAPTURE_PC) $(ANALYZE_PC) 2>/dev/null && echo y)
NEED := $(if $(HAS_LIBS),,need-deps)
need-deps:
	@echo 'make: libraries are missing; "make deps" installs them (root), or prints how' >&2
	@exit 1

$(capture_OBJ): PKGS = $(call cflags,$(CAPTURE_PC))
$(analyze_OBJ): PKGS = $(call cflags,$(ANALYZE_PC))
$(analyze_OBJ): OBJ_WHOLE = $(WHOLE)
$(plugin_OBJ): PKGS = $(call cflags,libtraceevent)
$(plugin_OBJ): OBJ_WHOLE = -fPIC -fvisibility=hidden
$(UNITS:=.o) $(HELPERS:=.o) $(FUZZERS:=.o) $(testlib_OBJ): PKGS = $(call cflags,$(CAPTURE_PC) $(ANALYZE_PC) $(TEST_PC))

$(B)/fcap: $(B)/capture/main.o $(capture_LIB)
	$(Q)$(CC) $(INSTRUMENT) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call libs,$(CAPTURE_PC)) -pthread $(LDLIBS)
# a guest may have no libraries at all; instruments, though, do not work without
STATIC := $(if $(SAN),,$(shell echo 'int main(void) { return 0; }' | \
	$(CC) -static -x c -o /dev/null - 2>/dev/null && echo -static))
$(B)/fcap-guest: $(B)/capture/guest/main.o $(capture_LIB)
	$(Q)$(if $(STATIC)$(SAN),,echo 'make: note: $(CC) cannot link statically (no libc.a?): $@ needs' \
		'the shared libc inside the guest' >&2;) \
		$(CC) $(INSTRUMENT) $(CFLAGS) $(LDFLAGS) $(STATIC) -o $@ $^ $(LDLIBS)
# for guests too
$(B)/samples/spin: $(B)/samples/spin.o
	$(Q)$(CC) $(INSTRUMENT) $(CFLAGS) $(LDFLAGS) $(STATIC) -o $@ $^ $(LDLIBS)
$(B)/fanalyze: $(B)/analyze/main.o $(analyze_LIB)
	$(Q)$(CC) $(INSTRUMENT) $(CFLAGS) $(WHOLE) $(LDFLAGS) -o $@ $^ $(call libs,$(ANALYZE_PC)) -pthread $(LDLIBS)
# who loads it has the library, but perhaps not for all to see
$(PLUGIN): $(plugin_OBJ)
	$(Q)$(CC) $(INSTRUMENT) $(CFLAGS) $(LDFLAGS) -shared -o $@ $^ $(call libs,libtraceevent) $(LDLIBS)
$(FIELDS): analyze/fcap-report.5.in $(B)/fanalyze
	$(Q)$(B)/fanalyze schema --as man >$@.fields
	$(Q)sed -e '/^\.\\" FIELDS$$/{' -e 'r $@.fields' -e 'd' -e '}' $< >$@
	$(Q)rm $@.fields
# the plugin is tested from the inside too
$(B)/tests/unit/plugin: $(plugin_OBJ)
$(B)/samples/microvm: $(B)/samples/microvm.o $(B)/samples/guest.o
	$(Q)$(CC) $(INSTRUMENT) $(CFLAGS) $(LDFLAGS) -o $@ $^ -pthread $(LDLIBS)
$(B)/samples/coretag: $(B)/samples/coretag.o
	$(Q)$(CC) $(INSTRUMENT) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)
$(capture_LIB): $(filter-out %/main.o,$(capture_OBJ) $(guest_OBJ))
$(analyze_LIB): $(filter-out %/main.o,$(analyze_OBJ))
$(capture_LIB) $(analyze_LIB):
	$(Q)rm -f $@ && $(AR) rcs $@ $^
$(UNITS) $(HELPERS): $(B)/%: $(B)/%.o $(testlib_OBJ) $(analyze_LIB) $(capture_LIB)
	$(Q)$(CC) $(INSTRUMENT) $(if $(WHOLE),-fno-lto) $(CFLAGS) $(LDFLAGS) -o $@ $^ \
		$(call libs,$(CAPTURE_PC) $(ANALYZE_PC) $(TEST_PC)) -pthread $(LDLIBS)
# without libFuzzer they replay the files they are given
$(FUZZERS): $(B)/%: $(B)/%.o $(fuzzlib_OBJ) $(if $(FUZZ),,$(B)/tests/fuzz/lib/replay.o) $(analyze_LIB)
	$(Q)$(CC) $(INSTRUMENT) $(if $(FUZZ),-fsanitize=fuzzer) $(if $(WHOLE),-fno-lto) $(CFLAGS) $(LDFLAGS) \
		-o $@ $^ $(call libs,$(ANALYZE_PC)) -pthread $(LDLIBS)
$(SEEDS): $(SEEDS).o $(fuzzlib_OBJ) $(testlib_OBJ) $(analyze_LIB)
	$(Q)$(CC) $(INSTRUMENT) $(if $(WHOLE),-fno-lto) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(call libs,$(ANALYZE_PC) $(TEST_PC)) $(LDLIBS)
# preloaded by tests, so without instruments
$(B)/tests/preload/%.so: tests/preload/%.c
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -D_GNU_SOURCE -std=gnu11 $(WARN) -O2 -g -fPIC -shared -o $@ $< -ldl
$(B)/%.o: %.c | $(NEED)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC_OBJ) -MMD -MP -c -o $@ $<

deps: ## install what is missing (root), or print how (NO_APT=1)
	$(Q)tests/deps.sh
install: $(TOOLS:%=$(B)/%) $(PLUGIN) $(FIELDS) ## programs, pages, completion to PREFIX, plugin to plugindir
	$(Q)install -d "$(DESTDIR)$(bindir)"
	$(Q)install -m 755 $(TOOLS:%=$(B)/%) "$(DESTDIR)$(bindir)"
	$(Q)for t in $(OF_PERF); do ln -sf $$t "$(DESTDIR)$(bindir)/perf-$$t" || exit; done
	$(Q)$(foreach p,$(PAGES),install -D -m 644 $(p) "$(DESTDIR)$(mandir)/$(call page_of,$(p))" &&) :
	$(Q)install -d "$(DESTDIR)$(bashdir)" "$(DESTDIR)$(zshdir)"
	$(Q)for name in fcap fanalyze; do \
		install -m 644 include/completion/fcap.bash "$(DESTDIR)$(bashdir)/$$name"; done
	$(Q)install -m 644 include/completion/_fcap "$(DESTDIR)$(zshdir)"
	$(Q)ln -sf perf-fcap.1 "$(DESTDIR)$(mandir)/man1/perf-fanalyze.1"
	$(Q)install -d "$(DESTDIR)$(plugindir)"
	$(Q)install -m 644 $(PLUGIN) "$(DESTDIR)$(plugindir)"
uninstall: ## remove what install put there
	$(Q)rm -f $(patsubst %,"$(DESTDIR)$(bindir)/%",$(TOOLS) $(OF_PERF:%=perf-%)) \
		"$(DESTDIR)$(plugindir)/$(notdir $(PLUGIN))" "$(DESTDIR)$(mandir)/man1/perf-fanalyze.1" \
		$(foreach p,$(PAGES),"$(DESTDIR)$(mandir)/$(call page_of,$(p))") \
		"$(DESTDIR)$(bashdir)/fcap" "$(DESTDIR)$(bashdir)/fanalyze" "$(DESTDIR)$(zshdir)/_fcap"
demo: ## record two VMs for ten seconds, say how fair it was, draw it
	$(Q)tests/deps.sh run
	$(Q)B=$(B) MAKE="$(MAKE)" samples/demo.sh --build
check: deps ## all tests; what cannot run here is skipped with the reason
	$(Q)$(MAKE) --no-print-directory check-all
check-all: all $(UNITS) $(PRELOADS) $(FUZZERS) $(SEEDS) $(B)/tests/corpus/tally $(B)/tests/bench/flood
	$(Q)B=$(B) tests/run.sh $(UNITS) $(wildcard tests/cli/*.sh tests/root/*.sh)
check-files: all $(UNITS) $(PRELOADS) $(FUZZERS) $(SEEDS) $(B)/tests/corpus/tally ## all tests but those that record
	$(Q)B=$(B) tests/run.sh $(UNITS) $(wildcard tests/cli/*.sh)
check-unit: $(UNITS) ## the unit tests alone (with SAN=address,undefined too)
	$(Q)B=$(B) tests/run.sh $(UNITS)
stress: all $(PRELOADS) $(B)/tests/unit/large_files ## killed at every call, floods, CPUs that go: long, as root
	$(Q)B=$(B) tests/run.sh $(wildcard tests/stress/*.sh)
fuzz: ## damaged input by libFuzzer, for MINUTES=1; needs clang
	$(Q)tests/deps.sh fuzz
	$(Q)$(MAKE) --no-print-directory $(SEEDS) $(B)/fanalyze
	$(Q)B=$(B) MAKE="$(MAKE)" tests/fuzz.sh $(or $(MINUTES),1)
fuzzers: $(FUZZERS)
bed: ## VMs on an emulated host; minutes, and a kernel once
	$(Q)tests/deps.sh bed
	$(Q)$(MAKE) --no-print-directory all
	$(Q)B=$(B) tests/bed/bed.sh $(BED)
kernelshark-check: all ## opens samples, or FILES, in KernelShark; makes pictures
	$(Q)tests/deps.sh kernelshark
	$(Q)B=$(B) tests/kernelshark.sh $(FILES)
html-check: ## pages of --html in Chromium; KEEP=DIR to look at them
	$(Q)tests/deps.sh html
	$(Q)$(MAKE) --no-print-directory $(B)/fanalyze
	$(Q)B=$(B) tests/run.sh tests/browser/html.sh
latex-check: ## figures and tables in papers by LaTeX; PAPERS=DIR keeps them
	$(Q)tests/deps.sh latex
	$(Q)$(MAKE) --no-print-directory $(B)/fanalyze
	$(Q)B=$(B) PAPERS="$(PAPERS)" tests/run.sh tests/latex.sh
fresh-check: ## what README says, in a new Debian (root, debootstrap)
	$(Q)tests/fresh.sh
debian-check: ## gcc, clang, tests in RELEASE=trixie (root, debootstrap)
	$(Q)tests/debian.sh $(RELEASE)
arm64-check: ## unit tests for arm64, in user emulation (root, debootstrap)
	$(Q)tests/arm64.sh $(RELEASE)
bench: all $(filter $(B)/tests/bench/%,$(HELPERS)) ## how fast fanalyze reads, as ratios; some minutes
	$(Q)B=$(B) tests/bench.sh
bench-capture: all $(B)/tests/bench/flood $(B)/tests/bench/measure ## what fcap, trace-cmd and perf lose and cost (root)
	$(Q)B=$(B) tests/bench-capture.sh
coverage-sim: $(B)/tests/coverage/coverage ## how often the intervals hold the truth; ten seconds
	$(Q)$<
lint: ## format, clang-tidy, cppcheck, shellcheck, licence lines
	$(Q)tests/deps.sh lint
	$(Q)tests/lint.sh
format: ## rewrite the sources with clang-format 14
	$(Q)clang-format -i $$(git ls-files -co --exclude-standard '*.[ch]')
clean: ## remove this configuration's build folder
	rm -rf $(B)
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /  \1\t/p' $(MAKEFILE_LIST) | expand -t 20

-include $(shell find $(B) -name '*.d' 2>/dev/null)
.PHONY: all install uninstall deps demo check check-all check-files check-unit stress fuzz fuzzers \
	bed latex-check html-check kernelshark-check fresh-check debian-check arm64-check bench \
	bench-capture coverage-sim lint format clean help need-deps
.DELETE_ON_ERROR:
.SECONDARY:

# SPDX-License-Identifier: GPL-3.0-or-later
# Writes reports (fcap-report/1) of made-up runs of two VMs, DIR/CONFIG-N.json: N of each of the
# configurations in CONFIGS ("off on"), made in turns. The same SEED gives the same files.
#   awk -v dir=DIR -v n=N -v configs="off on" -v seed=1 -f make_reports.awk
function noise() {
	# Park and Miller's generator: whole numbers that a double holds exactly; -0.5 .. 0.5
	state = state * 16807 % 2147483647
	return state / 2147483647 - 0.5
}

function estimate(value, se, unit) {
	return sprintf("{\"value\": %.15g, \"se\": %.15g, \"lo\": null, \"hi\": null, \"level\": " \
		"0.95, \"unit\": \"%s\", \"method\": \"pw-ewc\", \"n\": 300, \"df\": 8, " \
		"\"flags\": [\"one_run\"]}", value, se, unit)
}

function group(name, cpus, share, due, forced) {
	return sprintf("{\"name\": \"%s\", \"kind\": \"vm\", \"run_ns\": %.0f, \"wait_ns\": " \
		"%.0f, \"window_run_ns\": %.0f, \"share\": %s, \"expected_pct\": %.15g, " \
		"\"deviation\": %s, \"waited_for\": {\"forced_idle_ns\": %.0f}, \"flags\": []}",
		name, cpus * 3e9, 2e9, cpus * 3e9, estimate(share, 0.8, "percent"), due,
		estimate(share - due, 0.9, "points"), forced * 1e9)
}

# The first configuration shares cores, nosmt has nothing to share, the others keep VMs apart: with
# numbers that follow the run, not chance, so that the rest stays what it was.
function isolation(config, c, i, judged, idle) {
	if (config == "nosmt")
		return "{\"applicable\": false, \"reason\": \"no SMT\", \"verdict\": {\"word\": " \
			"\"not_applicable\"}, \"forced_idle\": {\"total_ns\": 0}}"
	judged = c == 1 ? 30 + i * 3 % 5 / 2 : 0.2 + i * 3 % 5 / 20
	idle = c == 1 ? 0 : 4e8 + i * 2 % 5 * 1e7
	return sprintf("{\"applicable\": true, \"level\": \"vm\", \"co_run_ns\": 2000000000, " \
		"\"judged_pct\": %.15g, \"tolerance_ns\": 50000, \"max_violation_pct\": 1, " \
		"\"verdict\": {\"word\": \"%s\"}, \"forced_idle\": {\"total_ns\": %.0f, " \
		"\"upper_bound\": false}}", judged, judged > 1 ? "shared" : "isolated", idle)
}

BEGIN {
	state = seed
	k = split(configs, config, " ")
	for (i = 1; i <= n; i++)
		for (c = 1; c <= k; c++) {
			# what each configuration after the first costs: the second VM most
			cost = c == 1 ? 0 : 0.1 + 0.02 * c
			cpus1 = 2 * (1 - cost / 3 + 0.04 * noise())
			cpus2 = 2 * (1 - cost + 0.04 * noise())
			share = 100 * cpus1 / (cpus1 + cpus2)
			file = dir "/" config[c] "-" i ".json"
			printf "{\"schema\": \"fcap-report/1\", \"source\": {\"file\": \"%s.dat\", " \
				"\"cpus\": 4, " \
				"\"labels\": {\"core_sched\": \"%s\", \"order\": \"%d\", " \
				"\"block\": \"b%d\"}}, \"period\": {\"start_ns\": 0, " \
				"\"end_ns\": 3000000000, \"window_ns\": 10000000, " \
				"\"windows\": 300}, \"host\": {\"smt\": \"%s\", \"cores\": %s}, \"quality\": {\"verdict\": \"ok\"},\n",
				config[c] "-" i, config[c], (i - 1) * k + c, i,
				config[c] == "nosmt" ? "off" : "on",
				config[c] == "nosmt" ? "[[0], [2]]" : "[[0, 1], [2, 3]]" >file
			idle1 = c > 1 ? 0.1 : 0
			idle2 = c > 1 ? 0.3 + 0.1 * noise() : 0
			printf "\"groups\": [%s,\n%s],\n", group("vm1", cpus1, share, 50, idle1),
				group("vm2", cpus2, 100 - share, 50, idle2) >file
			printf "\"scores\": [{\"vm\": \"vm1\", \"value\": %.15g}, {\"vm\": " \
				"\"vm2\", \"value\": %.15g}],\n", 2500 * cpus1 * (1 + 0.02 * noise()),
				2500 * cpus2 * (1.05 + 0.02 * noise()) >file
			printf "\"isolation\": %s,\n", isolation(config[c], c, i) >file
			printf "\"series\": {\"groups\": {\"vm1\": {\"share\": [%.15g, %.15g, " \
				"null]}, \"vm2\": {\"share\": [%.15g, %.15g, null]}}}}\n",
				share - 1, share + 1.5, 101 - share, 98.5 - share >file
			close(file)
		}
}

// SPDX-License-Identifier: GPL-3.0-or-later
// Put into a copy of a page by tests/browser/html.sh: measures it as it stands and with all parts
// unfolded, and tells the window around it what is wrong, a line each.
"use strict";
(function () {
	const width = document.documentElement.clientWidth;
	const wrong = [];

	function name(e) {
		return e.tagName.toLowerCase() + (e.id ? "#" + e.id : "") + " \"" +
			e.textContent.trim().slice(0, 30).replace(/\s+/g, " ") + "\"";
	}

	// wide tables scroll in a place of their own
	function sticks_out(e) {
		const box = e.getBoundingClientRect();

		return (box.right > width + 0.5 || box.left < -0.5) && !e.closest(".wide table");
	}

	function measure(state) {
		const real = document.documentElement.scrollWidth;

		if (real > width)
			wrong.push(state + ": the page is " + real + " wide");
		for (const e of document.body.querySelectorAll("*"))
			if (!e.ownerSVGElement && sticks_out(e))
				wrong.push(state + ": " + name(e) + " sticks out");
	}

	function measure_figures() {
		for (const svg of document.querySelectorAll("figure svg")) {
			const box = svg.getBoundingClientRect(), drawn = svg.getBBox();
			const paper = svg.parentElement.getBoundingClientRect();

			if (box.width < 100 || box.height < 40 || drawn.width < 100 || drawn.height < 40)
				wrong.push(name(svg) + " has no size");
			for (const text of svg.querySelectorAll("text")) {
				const at = text.getBoundingClientRect();

				if (at.right > paper.right || at.left < paper.left ||
				    at.bottom > paper.bottom || at.top < paper.top)
					wrong.push(name(text) + " sticks out of " +
						   svg.getAttribute("aria-label"));
			}
		}
	}

	measure("folded");
	measure_figures();
	for (const e of document.querySelectorAll("details"))
		e.open = true;
	measure("unfolded");
	parent.postMessage({
		width: width,
		figures: document.querySelectorAll("figure svg").length,
		tables: document.querySelectorAll("table").length,
		wrong: wrong
	}, "*");
}());

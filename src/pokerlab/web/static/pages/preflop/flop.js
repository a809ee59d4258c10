// Choose a flop at the end of a line: by cards, by chance, or one of the 25 that stand for all. It leads into the Editor.
import { html, useState } from "/static/vendor/preact-htm.js";
import { post } from "../../parts/api.js";
import { Board, CardPicker, splitCards } from "../../parts/cards.js";
import { useKeys } from "../../parts/keys.js";
import { go, setQuery } from "../../parts/navigation.js";

export default function ChooseFlop({ id, node, flops, flop }) {
  const [problem, setProblem] = useState("");
  const cards = splitCards(flop);
  const choose = (next) => setQuery({ flop: next }, { replace: true });
  const pick = (card) => choose((cards.includes(card) ? cards.filter((each) => each !== card) : [...cards, card].slice(-3)).join(""));
  const deal = () => choose(randomFlop());
  const edit = () => cards.length === 3 && go(`/spot/new?${new URLSearchParams({ chart: id, line: node.line, flop })}`);
  const batch = async () => {
    try {
      go(`/batch/new?spot=${(await post(`/api/charts/${encodeURIComponent(id)}/spot`, { line: node.line })).id}`);
    } catch (error) {
      setProblem(error.message);
    }
  };
  useKeys({ f: [deal, "a random flop"], Enter: [() => (document.activeElement?.tagName === "BUTTON" ? false : edit()), "the Editor with this flop"] });
  const words = flops.find((each) => each.flop === flop)?.texture ?? "";
  return html`<section class="panel choose-flop" aria-label="Choose a flop">
    <div class="flop-side"><div class="row spread"><h2>Choose a flop</h2><button type="button" class="quiet tiny-button" title="F" onClick=${deal}>Random</button></div>
      <${CardPicker} chosen=${cards} onPick=${pick} label="Cards of the flop" />
      <div class="row"><${Board} board=${flop} small /><span class="small quiet-text">${words}</span><span class="space" />
        <button type="button" class="primary" id="to-editor" disabled=${cards.length !== 3} onClick=${edit}>Open in the Editor</button></div>
      <p class="small quiet-text">${node.story}. Ranges, pot, stacks, who raised last and few bet sizes are filled in.</p>
    </div>
    <div class="flop-side"><div class="row spread"><h2>25 that stand for all</h2><button type="button" class="quiet tiny-button" id="to-batch" onClick=${batch} title="Keeps the spot in the Library, and begins a batch of it">Solve on many flops…</button></div>
      <div class="flop-list" role="group" aria-label="Flops by texture">${flops.map((each) => html`<button type="button" key=${each.flop} class="flop-choice" aria-pressed=${each.flop === flop} aria-label=${`${each.flop}, ${each.texture}`}
        title=${`${each.texture}; stands for ${(100 * each.share).toFixed(1)}% of all flops`} onClick=${() => choose(each.flop)}><${Board} board=${each.flop} small /></button>`)}</div>
      ${problem && html`<p class="error small" role="alert">${problem}</p>`}
    </div>
  </section>`;
}

function randomFlop() {
  const deck = [..."AKQJT98765432"].flatMap((rank) => [..."shdc"].map((suit) => rank + suit));
  const dealt = [];
  while (dealt.length < 3) dealt.push(...deck.splice(Math.floor(Math.random() * deck.length), 1));
  return dealt.join("");
}

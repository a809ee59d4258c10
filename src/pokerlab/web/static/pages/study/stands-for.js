// The line that says which board a solution of a batch stands for.
export { StandsFor as default } from "./board.js";

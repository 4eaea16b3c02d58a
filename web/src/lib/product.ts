/**
 * What this console is called: the title of its page before any page's own. "Causeway" for companies, "Causeway Operator"
 * for the firm that runs the installation (`vite/consoles.ts`).
 */
export const productName: string = globalThis.document?.title || 'Causeway';

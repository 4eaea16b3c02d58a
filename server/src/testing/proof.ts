/** `npm run proof` runs tests that are long in full; `npm test` a part of them. */
export const isProof = process.env['PROOF_ROUNDS'] !== undefined;

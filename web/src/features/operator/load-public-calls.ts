/** The client, the contract and the cipher: asked for once the page has been drawn. A constant, so that it is loaded once. */
export const loadPublicCalls = () => import('./public-calls.ts');

export { type CatalogueChain, type ChainCoin, findChains, findOwnAddress } from './catalogue.ts';
export { registerChains } from './registry.ts';

export { registerChains } from './registry.ts';

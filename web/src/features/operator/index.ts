export { DecisionsLink } from './components/decisions-link.tsx';
export { signOut, useMe } from './me.ts';
export { proposalPalette, staffPalette } from './palette.ts';

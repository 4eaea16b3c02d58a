export { type NamedOptions, useNamedOptions } from './named-options.ts';
export { memberPalette } from './palette.ts';

declare module 'virtual:texts' {
  import type { Messages } from '@lingui/core';

  /** Group of texts → language → its lazily loaded, compiled catalogue. Made by `vite/texts.ts`. */
  export const catalogues: Record<string, Record<string, () => Promise<{ messages: Messages }>>>;
}

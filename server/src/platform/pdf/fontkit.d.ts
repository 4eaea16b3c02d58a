/** What of fontkit the receipts use; the package brings no types. */
declare module 'fontkit' {
  export interface Font {
    readonly unitsPerEm: number;
    hasGlyphForCodePoint(codePoint: number): boolean;
    /** Sets a text with OpenType features. */
    layout(text: string, features: readonly string[]): { readonly advanceWidth: number };
    glyphForCodePoint(codePoint: number): { readonly advanceWidth: number };
  }
  /** Reads one font from a file's bytes. */
  export function create(file: Buffer): Font;
}

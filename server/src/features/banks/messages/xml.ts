import { type SaxesAttributeNS, SaxesParser } from 'saxes';
import { decodeXml } from './encoding.ts';
import { BankFileError } from './problem.ts';

/** What a file may need at most. A statement of 10,000 entries has about 30 MB, 600,000 elements and 13 levels. */
export const xmlLimits = {
  bytes: 200_000_000,
  elements: 5_000_000,
  depth: 40,
  attributes: 20,
  /** Characters of one element. ISO 20022 has texts of up to 2,048. */
  text: 10_000,
};
export type XmlLimits = typeof xmlLimits;

/** Elements that repeat: their place among their like is part of the path. */
const numbered = new Set(
  'Document Stmt Ntfctn Bal Ntry NtryDtls TxDtls OrgnlPmtInfAndSts TxInfAndSts StsRsnInf Strd Chrgs Rcrd Prtry'.split(
    ' ',
  ),
);

/** An element without the white space around its text; only what is kept has children and text. */
export class XmlElement {
  readonly name: string;
  readonly namespace: string;
  readonly parent: XmlElement | null;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[] = [];
  text = '';
  readonly #place: number;
  /** How many of each name were met so far; leaves, which are most elements, need none. */
  #seen: Map<string, number> | null = null;

  constructor(
    name: string,
    namespace: string,
    attributes: Readonly<Record<string, string>>,
    parent: XmlElement | null,
  ) {
    this.name = name;
    this.namespace = namespace;
    this.attributes = attributes;
    this.parent = parent;
    this.#place = parent?.placeOfNext(name) ?? 1;
  }

  placeOfNext(name: string): number {
    this.#seen ??= new Map();
    const place = (this.#seen.get(name) ?? 0) + 1;
    this.#seen.set(name, place);
    return place;
  }

  /** As in `Document/BkToCstmrStmt/Stmt[1]/Ntry[3]/Amt`. */
  get path(): string {
    const isNumbered = this.#place > 1 || (this.parent !== null && numbered.has(this.name));
    const own = isNumbered ? `${this.name}[${this.#place}]` : this.name;
    return this.parent ? `${this.parent.path}/${own}` : own;
  }
}

/** What a reader does with the elements of a file, in their order. */
export interface XmlVisitor {
  /** `enter` asks for each child by itself, `keep` collects the element with all that is in it, `skip` forgets it. */
  open(element: XmlElement): 'enter' | 'keep' | 'skip';
  /** An element inside a kept one is complete; what the visitor takes out of its children need not be kept. */
  inside(element: XmlElement): void;
  /** A kept element is complete. */
  kept(element: XmlElement): void;
  /** An entered element has ended. */
  left(element: XmlElement): void;
}

/**
 * Reads hostile XML as it arrives: nothing is kept but the open elements and what the visitor keeps. Document types are refused, so
 * there are no entities but the five of XML and characters by number. Yields after each piece of the file, so that a visitor's
 * results can be taken while the file is being read.
 * @throws BankFileError doctype, empty, encoding, notXml, textTooLong, tooDeep, tooLarge, tooManyAttributes, tooManyElements, and
 * what the visitor throws
 */
export async function* readXml(
  bytes: AsyncIterable<Uint8Array>,
  visitor: XmlVisitor,
  limits: XmlLimits = xmlLimits,
): AsyncGenerator<void> {
  const parser = new SaxesParser({ xmlns: true, position: true });
  const tree = new Tree(visitor, limits);
  let attributes = 0;
  parser.on('error', () => {
    throw new BankFileError('notXml', { line: parser.line, column: parser.column });
  });
  parser.on('doctype', () => {
    throw new BankFileError('doctype');
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > limits.attributes) throw new BankFileError('tooManyAttributes', { most: limits.attributes });
  });
  parser.on('opentag', (tag) => {
    attributes = 0;
    tree.open(tag.local, tag.uri, plain(tag.attributes));
  });
  parser.on('text', (text) => tree.text(text));
  parser.on('cdata', (text) => tree.text(text));
  parser.on('closetag', () => tree.close());

  for await (const text of decodeXml(limited(bytes, limits.bytes))) {
    parser.write(text);
    yield;
  }
  parser.close();
  yield;
}

const none: Readonly<Record<string, string>> = {};

/** Attributes by their local names; those that declare or belong to a namespace say nothing of a payment. */
function plain(attributes: Record<string, SaxesAttributeNS>): Readonly<Record<string, string>> {
  const own = Object.values(attributes).filter(({ uri }) => uri === '');
  return own.length === 0 ? none : Object.fromEntries(own.map(({ local, value }) => [local, value]));
}

async function* limited(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  let total = 0;
  for await (const chunk of bytes) {
    total += chunk.length;
    if (total > most) throw new BankFileError('tooLarge', { most: Math.floor(most / 1_000_000) });
    yield chunk;
  }
  if (total === 0) throw new BankFileError('empty');
}

type Treatment = 'enter' | 'keep' | 'skip';

/** The open elements of a file and how each is treated. */
class Tree {
  readonly #visitor: XmlVisitor;
  readonly #limits: XmlLimits;
  readonly #open: { element: XmlElement; treatment: Treatment; isOutermost: boolean }[] = [];
  #elements = 0;

  constructor(visitor: XmlVisitor, limits: XmlLimits) {
    this.#visitor = visitor;
    this.#limits = limits;
  }

  open(name: string, namespace: string, attributes: Readonly<Record<string, string>>): void {
    this.#elements += 1;
    if (this.#elements > this.#limits.elements) {
      throw new BankFileError('tooManyElements', { most: this.#limits.elements });
    }
    if (this.#open.length >= this.#limits.depth) throw new BankFileError('tooDeep', { most: this.#limits.depth });
    const outer = this.#open.at(-1);
    const element = new XmlElement(name, namespace, attributes, outer?.element ?? null);
    const inherited = outer && outer.treatment !== 'enter' ? outer.treatment : null;
    const treatment = inherited ?? this.#visitor.open(element);
    // What a bank adds in a namespace of its own is not of the message.
    const isForeign = inherited === 'keep' && outer?.element.namespace !== namespace;
    this.#open.push({ element, treatment: isForeign ? 'skip' : treatment, isOutermost: inherited === null });
    if (inherited === 'keep' && !isForeign) outer?.element.children.push(element);
  }

  text(text: string): void {
    const current = this.#open.at(-1);
    if (current?.treatment !== 'keep') return;
    const { element } = current;
    if (element.text.length + text.length > this.#limits.text) {
      throw new BankFileError('textTooLong', { path: element.path, most: this.#limits.text });
    }
    element.text += text;
  }

  close(): void {
    const closed = this.#open.pop();
    if (!closed) return;
    const { element, treatment, isOutermost } = closed;
    if (treatment === 'enter') this.#visitor.left(element);
    if (treatment !== 'keep') return;
    element.text = element.text.trim();
    if (isOutermost) this.#visitor.kept(element);
    else this.#visitor.inside(element);
  }
}

import { SaxesParser } from 'saxes';
import { BankRefusal } from './catalogue.ts';

/** An element with its own text, trimmed. */
export type XmlNode = { name: string; attributes: Readonly<Record<string, string>>; children: XmlNode[]; text: string };

const MOST_ELEMENTS = 3_000_000;
const DEEPEST = 40;

/** Reads a document of one namespace; a document type is refused, so entities cannot be declared. @throws BankRefusal FF01 */
export function readXml(text: string): XmlNode & { namespace: string } {
  const parser = new SaxesParser({ xmlns: true });
  const root: XmlNode = { name: '', attributes: {}, children: [], text: '' };
  const open: XmlNode[] = [root];
  let namespace = '';
  let count = 0;
  parser.on('doctype', () => {
    throw new BankRefusal('FF01', 'A document type is not accepted');
  });
  parser.on('opentag', (tag) => {
    count += 1;
    if (count > MOST_ELEMENTS || open.length > DEEPEST)
      throw new BankRefusal('FF01', 'The file is too large or too deep');
    if (count === 1) namespace = tag.uri;
    const attributes = Object.fromEntries(Object.entries(tag.attributes).map(([name, { value }]) => [name, value]));
    const node: XmlNode = { name: tag.local, attributes, children: [], text: '' };
    open.at(-1)?.children.push(node);
    open.push(node);
  });
  parser.on('text', (part) => {
    const node = open.at(-1);
    if (node !== undefined) node.text += part;
  });
  parser.on('closetag', () => {
    const node = open.pop();
    if (node !== undefined) node.text = node.text.trim();
  });
  parser.on('error', (error) => {
    throw new BankRefusal('FF01', `The file is not well-formed: ${error.message}`.slice(0, 105));
  });
  parser.write(text).close();
  const [document] = root.children;
  if (document === undefined) throw new BankRefusal('FF01', 'The file is empty');
  return { ...document, namespace };
}

export function child(node: XmlNode | undefined, ...names: readonly string[]): XmlNode | undefined {
  return names.reduce<XmlNode | undefined>((at, name) => at?.children.find((one) => one.name === name), node);
}

export function children(node: XmlNode | undefined, name: string): XmlNode[] {
  return node?.children.filter((one) => one.name === name) ?? [];
}

export function textAt(node: XmlNode | undefined, ...names: readonly string[]): string | undefined {
  const text = child(node, ...names)?.text;
  return text === undefined || text === '' ? undefined : text;
}

/** @throws BankRefusal FF01 */
export function neededText(node: XmlNode | undefined, most: number, ...names: readonly string[]): string {
  const text = textAt(node, ...names);
  if (text === undefined) throw new BankRefusal('FF01', `${names.join('/')} is missing`);
  if ([...text].length > most) throw new BankRefusal('FF01', `${names.join('/')} is too long`);
  return text;
}

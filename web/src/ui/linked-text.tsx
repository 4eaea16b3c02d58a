import { PlainLink } from './plain-link.tsx';

interface Props {
  text: string;
  /** What has a page, as it is written in the text. */
  links: readonly { value: string; link: string | null }[];
}

/** A sentence in which each id that has a page leads there. */
export function LinkedText({ text, links }: Props) {
  const found = links.find(({ value, link }) => link !== null && text.includes(value));
  if (found === undefined || found.link === null) return text;
  const at = text.indexOf(found.value);
  const others = links.filter((one) => one !== found);
  return (
    <>
      <LinkedText text={text.slice(0, at)} links={others} />
      <PlainLink href={found.link} className="text-accent">
        {found.value}
      </PlainLink>
      <LinkedText text={text.slice(at + found.value.length)} links={others} />
    </>
  );
}

import { PlainLink } from '../../../ui/plain-link.tsx';

/** A company's name, which leads to its file. */
export function CompanyLink({ id, name }: { id: string; name: string }) {
  return (
    <PlainLink href={`/app/companies/${id}`} title={id} className="text-accent hover:underline">
      {name}
    </PlainLink>
  );
}

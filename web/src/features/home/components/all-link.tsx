import { PlainLink } from '../../../ui/plain-link.tsx';

/** The way from the newest few to the whole list. */
export function AllLink({ to, label }: { to: string; label: string }) {
  return (
    <PlainLink href={to} className="text-13 font-medium whitespace-nowrap text-accent no-underline hover:underline">
      {label}
    </PlainLink>
  );
}

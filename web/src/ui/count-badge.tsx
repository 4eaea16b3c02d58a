/** Over the corner of a link in the header: how many there are. The label of the link says the number too. */
export function CountBadge({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <span
      aria-hidden="true"
      className="figures absolute top-0.5 right-0 min-w-4 rounded-full bg-negative px-1 text-center text-12 leading-4 font-medium text-on-negative"
    >
      {count > 99 ? '99+' : count}
    </span>
  );
}

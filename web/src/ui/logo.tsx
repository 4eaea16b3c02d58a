import { productName } from '../lib/product.ts';

/** A name of more than one word fits the menu in small letters. */
const size = productName.includes(' ') ? 'text-13' : 'text-16';

/** The product's sign and name; `small` leaves the name to the screen reader. */
export function Logo({ small }: { small?: boolean }) {
  return (
    <span className={`inline-flex items-center gap-2.5 font-semibold tracking-[-0.01em] whitespace-nowrap ${size}`}>
      <svg width="24" height="24" viewBox="0 0 32 32" aria-hidden="true" className="shrink-0">
        <rect width="32" height="32" rx="7" className="fill-accent" />
        <path
          d="M6 21h20M9 21v-4a7 7 0 0 1 14 0v4M16 10v11"
          fill="none"
          strokeWidth="2.2"
          strokeLinecap="round"
          className="stroke-on-accent"
        />
      </svg>
      <span className={small ? 'sr-only' : undefined}>{productName}</span>
    </span>
  );
}

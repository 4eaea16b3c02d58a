import type { ReactElement } from 'react';
import { Text } from '../../../lib/locale.tsx';
import type { Fields } from '../../../ui/form-state.ts';
import { Checkbox } from '../../../ui/text-field.tsx';
import type { SignUpValues } from '../rules.ts';
import { inlineLink } from './links.ts';

const agreements = [
  { name: 'agreeTerms', text: 'identity.agree.terms', href: '/terms' },
  { name: 'agreePaymentTerms', text: 'identity.agree.paymentTerms', href: '/payment-terms' },
  { name: 'agreePrivacy', text: 'identity.agree.privacy', href: '/privacy' },
] as const;

/** The three agreements, each a page of its own that opens beside the form, so that nothing typed is lost. */
export function Agreements({ fields }: { fields: Fields<SignUpValues, SignUpValues> }) {
  return (
    <div className="flex flex-col gap-2.5">
      {agreements.map(({ name, text, href }) => (
        <Checkbox key={name} {...fields.box(name)}>
          <Text id={text} components={{ '0': linkTo(href) }} />
        </Checkbox>
      ))}
    </div>
  );
}

function linkTo(href: string): ReactElement {
  // biome-ignore lint/a11y/useAnchorContent: the text's own words become the link's
  return <a href={href} target="_blank" rel="noopener" className={inlineLink} />;
}

import { useText } from '../../../lib/locale.tsx';
import { classNames } from '../../../ui/class-names.ts';

interface Props<Method extends string> {
  /** In the order in which they are offered. */
  methods: readonly Method[];
  value: Method;
  onChange: (method: Method) => void;
}

/** Where a code comes from: radio buttons that look like one switch. Arrow keys move between them, as with any radio group. */
export function MethodChoice<Method extends 'otp_auth' | 'email' | 'recovery'>(props: Props<Method>) {
  const { methods, value, onChange } = props;
  const t = useText();
  return (
    <fieldset className="m-0 grid auto-cols-fr grid-flow-col gap-1 rounded-6 border-0 bg-sunken p-1">
      <legend className="sr-only">{t('identity.method.label')}</legend>
      {methods.map((method) => (
        <label
          key={method}
          className={classNames(
            'flex min-h-8 cursor-pointer items-center justify-center rounded-6 px-2 text-center text-13 has-focus-visible:outline-2 has-focus-visible:outline-accent',
            method === value ? 'border border-line bg-surface font-medium text-text' : 'text-muted hover:text-text',
          )}
        >
          <input
            type="radio"
            name="code-method"
            className="sr-only"
            checked={method === value}
            onChange={() => onChange(method)}
          />
          {t(`identity.method.${method}`)}
        </label>
      ))}
    </fieldset>
  );
}

import { codeLength } from '@causeway/contract/identity-rules.ts';
import type { ComponentProps, ReactNode } from 'react';
import { digitsOf } from './code-digits.ts';
import { controlClass } from './control-look.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';

export interface CodeFieldProps
  extends FieldFrame,
    Omit<ComponentProps<'input'>, 'className' | 'id' | 'onChange' | 'value'> {
  value: string;
  onChange: (code: string) => void;
  /** Called once when the last digit is in, so that no button is needed. */
  onComplete?: (code: string) => void;
  /** A button beside the field: "send code" with its countdown. */
  action?: ReactNode;
}

/**
 * A 6-digit code. One field, not six: the phone's own "from messages" suggestion, a paste with spaces around it, and a
 * screen reader all work as with any field.
 */
export function CodeField({ value, onChange, onComplete, action, ...props }: CodeFieldProps) {
  const [frame, control] = splitFrame(props);
  return (
    <Field {...frame}>
      {(aria) => (
        <div className="flex gap-2" data-code>
          <input
            type="text"
            inputMode="numeric"
            autoComplete="one-time-code"
            placeholder="000000"
            {...control}
            {...aria}
            value={value}
            className={`figures ${controlClass('h-11 text-center font-mono text-20 tracking-[0.15em] md:tracking-[0.35em] placeholder:text-line-strong')}`}
            onChange={(event) => {
              const code = digitsOf(event.target.value);
              onChange(code);
              if (code.length === codeLength && code !== value) onComplete?.(code);
            }}
          />
          {action}
        </div>
      )}
    </Field>
  );
}

import type { ComponentProps } from 'react';
import { controlClass } from './control-look.ts';
import { Field, type FieldFrame, splitFrame } from './field.tsx';

export interface TextFieldProps extends FieldFrame, Omit<ComponentProps<'input'>, 'className' | 'id'> {}

/** One line of text. */
export function TextField(props: TextFieldProps) {
  const [frame, control] = splitFrame(props);
  return <Field {...frame}>{(aria) => <input type="text" {...control} {...aria} className={controlClass()} />}</Field>;
}

export interface TextAreaProps extends FieldFrame, Omit<ComponentProps<'textarea'>, 'className' | 'id'> {}

/** Several lines of text. */
export function TextArea(props: TextAreaProps) {
  const [frame, control] = splitFrame(props);
  return (
    <Field {...frame}>
      {(aria) => <textarea rows={3} {...control} {...aria} className={controlClass('resize-y py-2')} />}
    </Field>
  );
}

export interface CheckboxProps extends Omit<ComponentProps<'input'>, 'className' | 'id' | 'type'> {
  /** The sentence beside the box; may hold links. */
  children: React.ReactNode;
  error?: string | undefined;
}

/** A box with a sentence. */
export function Checkbox({ children, error, ...control }: CheckboxProps) {
  const wrong = error !== undefined && error !== '';
  return (
    <div className="flex flex-col gap-1">
      <label className="flex items-start gap-2.5 text-13 text-muted">
        <input
          {...control}
          type="checkbox"
          aria-invalid={wrong || undefined}
          className="mt-0.5 size-4 shrink-0 accent-accent aria-invalid:outline-2 aria-invalid:outline-negative"
        />
        <span className="min-w-0">{children}</span>
      </label>
      {wrong && (
        <p role="alert" className="m-0 pl-6.5 text-12 text-negative">
          {error}
        </p>
      )}
    </div>
  );
}

import { type ReactNode, useId } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';

/** What every field has around its control: label above, hint under, error under in words that say what to do. */
export interface FieldFrame {
  label: string;
  hint?: ReactNode;
  /** A sentence in the reader's language; undefined when all is well. */
  error?: string | undefined;
  /** Not required: says so beside the label, since most fields are. */
  optional?: boolean;
  /** Something small at the right end of the label's line: a link, a balance. */
  aside?: ReactNode;
}

/** The attributes that tie a control to its label, hint and error. */
interface ControlAria {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}

interface FieldProps extends FieldFrame {
  children: (aria: ControlAria) => ReactNode;
  /** For groups (radio buttons, files) whose name is not a `<label>` of one control. */
  group?: boolean;
}

/** The frame of one field. The error's place is kept in the reading order, so that it is heard when it appears. */
export function Field({ label, hint, error, optional, aside, group, children }: FieldProps) {
  const t = useText();
  const id = useId();
  const wrong = error !== undefined && error !== '';
  const described = [hint !== undefined && `${id}-hint`, wrong && `${id}-error`].filter(Boolean).join(' ');
  const name = (
    <>
      {label}
      {optional && <span className="ml-1.5 font-normal text-faint">{t('ui.field.optional')}</span>}
    </>
  );
  const body = (
    <>
      {children({ id, 'aria-invalid': wrong || undefined, 'aria-describedby': described || undefined })}
      {hint !== undefined && (
        <div id={`${id}-hint`} className="text-12 text-faint">
          {hint}
        </div>
      )}
      <div id={`${id}-error`} aria-live="polite" className={classNames('text-12 text-negative', !wrong && 'hidden')}>
        {error}
      </div>
    </>
  );
  const labelLook = 'flex items-baseline justify-between gap-3 text-13 font-medium text-text';
  if (group) {
    return (
      <fieldset className="m-0 flex min-w-0 flex-col gap-1.5 border-0 p-0">
        <legend className="mb-1.5 p-0 text-13 font-medium text-text">{name}</legend>
        {body}
      </fieldset>
    );
  }
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className={labelLook}>
        <label htmlFor={id} id={`${id}-label`}>
          {name}
        </label>
        {aside !== undefined && <span className="text-12 font-normal text-faint">{aside}</span>}
      </div>
      {body}
    </div>
  );
}

/** Splits what belongs to the frame from what belongs to the control. */
export function splitFrame<Props extends FieldFrame>(props: Props): [FieldFrame, Omit<Props, keyof FieldFrame>] {
  const { label, hint, error, optional, aside, ...control } = props;
  const frame: FieldFrame = {
    label,
    error,
    ...(hint !== undefined && { hint }),
    ...(optional !== undefined && { optional }),
    ...(aside !== undefined && { aside }),
  };
  return [frame, control];
}

import { useId } from 'react';
import { type CheckNode, isLocked, stateOf, toggled } from './check-tree-model.ts';
import { classNames } from './class-names.ts';
import { Field, type FieldFrame } from './field.tsx';

interface Props extends FieldFrame {
  nodes: readonly CheckNode[];
  /** The ids of the leaves that are ticked. */
  value: ReadonlySet<string>;
  onChange: (ticked: ReadonlySet<string>) => void;
  /** To be read, not changed. */
  readOnly?: boolean;
}

/** A tree of boxes: one of a branch ticks what is under it, and is half ticked when only some of that is. */
export function CheckTree({ nodes, value, onChange, readOnly = false, ...frame }: Props) {
  return (
    <Field {...frame} group>
      {(aria) => (
        <ul
          className="m-0 flex list-none flex-col gap-1 rounded-10 border border-line p-3"
          aria-describedby={aria['aria-describedby']}
        >
          {nodes.map((node) => (
            <Branch key={node.id} node={node} level={1} ticked={value} onChange={onChange} readOnly={readOnly} />
          ))}
        </ul>
      )}
    </Field>
  );
}

interface BranchProps {
  node: CheckNode;
  level: number;
  ticked: ReadonlySet<string>;
  onChange: (ticked: ReadonlySet<string>) => void;
  readOnly: boolean;
}

function Branch({ node, level, ticked, onChange, readOnly }: BranchProps) {
  const reasonId = useId();
  const state = stateOf(node, ticked);
  const off = readOnly || isLocked(node);
  return (
    <li className={classNames(level === 1 && 'not-first:mt-2 not-first:border-t not-first:border-line not-first:pt-2')}>
      <label className="flex min-h-7 items-start gap-2.5 py-1 text-13">
        <input
          type="checkbox"
          ref={(box) => {
            if (box) box.indeterminate = state === 'mixed';
          }}
          checked={state === 'on'}
          disabled={off}
          aria-describedby={node.locked === undefined ? undefined : reasonId}
          onChange={() => onChange(toggled(node, ticked))}
          className="mt-0.5 size-4 shrink-0 accent-accent"
        />
        <span
          className={classNames(
            'min-w-0',
            level === 1 && 'font-semibold',
            level === 2 && node.children && 'font-medium',
          )}
        >
          {node.label}
        </span>
      </label>
      {node.locked !== undefined && (
        <p id={reasonId} className="m-0 -mt-1 pb-1 pl-6.5 text-12 text-faint">
          {node.locked}
        </p>
      )}
      {node.children !== undefined && (
        <ul className="m-0 list-none p-0 pl-6.5">
          {node.children.map((child) => (
            <Branch
              key={child.id}
              node={child}
              level={level + 1}
              ticked={ticked}
              onChange={onChange}
              readOnly={readOnly}
            />
          ))}
        </ul>
      )}
    </li>
  );
}

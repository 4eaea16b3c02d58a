import { toast } from '../lib/toasts.ts';
import { Button } from './button.tsx';

interface Named {
  id: string;
  name: string;
}

interface Props<Item extends Named> {
  items: readonly Item[];
  /** Said where there are none. */
  empty: string;
  /** The call that deletes one, by its id. */
  remove: {
    isPending: boolean;
    variables: { params: { id: string } } | undefined;
    mutate: (input: { params: { id: string } }, callbacks: { onSuccess: () => void }) => void;
  };
  deleteText: (name: string) => string;
  deletedText: string;
  /** What choosing one does; absent where they are only listed. */
  onChoose?: (item: Item) => void;
}

/** Short names that a dialog lists, each with a button that deletes it: nothing else depends on them, so that no one is asked first. */
export function NameList<Item extends Named>({ items, empty, remove, deleteText, deletedText, onChoose }: Props<Item>) {
  if (items.length === 0) return <p className="m-0 text-muted">{empty}</p>;
  return (
    <ul className="m-0 flex list-none flex-col p-0">
      {items.map((item) => (
        <li key={item.id} className="flex items-center gap-2 border-b border-line py-1 last:border-0">
          {onChoose ? (
            <button
              type="button"
              className="min-w-0 flex-1 cursor-pointer rounded-6 px-2 py-1.5 text-left break-words text-accent hover:bg-hover"
              onClick={() => onChoose(item)}
            >
              {item.name}
            </button>
          ) : (
            <span className="min-w-0 flex-1 break-words">{item.name}</span>
          )}
          <Button
            kind="quiet"
            size="small"
            icon="trash"
            busy={remove.isPending && remove.variables?.params.id === item.id}
            onClick={() =>
              remove.mutate({ params: { id: item.id } }, { onSuccess: () => toast('success', deletedText) })
            }
          >
            <span className="sr-only">{deleteText(item.name)}</span>
          </Button>
        </li>
      ))}
    </ul>
  );
}

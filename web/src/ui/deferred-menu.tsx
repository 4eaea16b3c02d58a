import { type ComponentType, cloneElement, type ReactElement, useEffect, useRef, useState } from 'react';
import { whenIdle } from './deferred.ts';

/** What the deferred module exports: the whole menu, around the same button. */
export interface MenuPopupProps {
  trigger: ReactElement;
  defaultOpen: boolean;
}

interface Props {
  /** The button, drawn at once. */
  trigger: ReactElement<Record<string, unknown>>;
  /** Imports the module whose `Popup` is the menu. A constant, so that it is loaded once. */
  load: () => Promise<{ Popup: ComponentType<MenuPopupProps> }>;
}

/**
 * A menu whose button is there at the first paint and whose inside comes when the browser is idle, or at once when it is
 * asked for: menus are a third of the console's code, and none is opened in the first second.
 */
export function DeferredMenu({ trigger, load }: Props) {
  const place = useRef<HTMLSpanElement>(null);
  /** Resolves when the press that is under way has become a click; null while the button is not pressed. */
  const press = useRef<Promise<void> | null>(null);
  const [wanted, setWanted] = useState(false);
  const [loaded, setLoaded] = useState<{ Popup: ComponentType<MenuPopupProps>; hadFocus: boolean } | null>(null);
  useEffect(() => {
    let gone = false;
    const take = async () => {
      const { Popup } = await load();
      // A button that is replaced between press and release gets no click: the press would be lost.
      await press.current;
      const hadFocus = place.current?.contains(document.activeElement) ?? false;
      if (!gone) setLoaded({ Popup, hadFocus });
    };
    if (wanted) void take();
    else whenIdle(take);
    return () => {
      gone = true;
    };
  }, [load, wanted]);
  // The drawn button gives way to the menu's own; focus and pointer stay on it.
  useEffect(() => {
    if (loaded?.hadFocus) place.current?.querySelector('button')?.focus();
  }, [loaded]);
  return (
    <span ref={place} className="contents">
      {loaded === null ? (
        cloneElement(trigger, {
          'aria-haspopup': 'menu',
          'aria-expanded': false,
          onPointerDown: () => {
            press.current = released();
          },
          onClick: () => setWanted(true),
        })
      ) : (
        <loaded.Popup trigger={trigger} defaultOpen={wanted} />
      )}
    </span>
  );
}

/** Resolves after the click that follows the release of the pointer, or after a press that is given up. */
function released(): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      setTimeout(resolve);
    };
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  });
}

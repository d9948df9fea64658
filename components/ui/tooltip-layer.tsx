'use client';

import { useEffect, useLayoutEffect, useRef, useState } from 'react';

/** Before a tooltip appears under the pointer, and before it disappears, so that the pointer can reach it. */
const showMs = 250;
const hideMs = 100;
/** The space between the text, its tooltip and the edges of the window. */
const margin = 8;
/** The elements whose focus also shows the texts inside. */
const controls = 'a, button, summary, label, [role="option"], [role^="menuitem"]';

type Shown = { text: string; of: Element };

/** Renders the tooltip of the element under the pointer or with the focus. See Tooltips. */
export function TooltipLayer() {
  const [shown, setShown] = useState<Shown | null>(null);
  const panel = useRef<HTMLDivElement>(null);

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const after = (ms: number, next: Shown | null) => {
      clearTimeout(timer);
      timer = setTimeout(() => setShown(next), ms);
    };
    const hide = () => after(0, null);
    const onPoint = (target: Element) => {
      const found = tooltipOf(ancestorsOf(target));
      after(found ? showMs : hideMs, found);
    };
    const onPointer = ({ target, pointerType }: PointerEvent) => {
      if (pointerType === 'touch' || !(target instanceof Element)) return;
      if (panel.current?.contains(target)) return clearTimeout(timer);
      onPoint(target);
    };
    const onFocus = () => {
      const focused = document.activeElement;
      if (!focused?.matches(':focus-visible')) return;
      // Panels that have the focus contain texts that are not about them.
      const parts = focused.matches(controls) ? focused.querySelectorAll('*') : [];
      after(0, tooltipOf([...parts, ...ancestorsOf(focused)]));
    };
    const onKey = ({ key }: KeyboardEvent) => key === 'Escape' && hide();
    // The pointer may have stopped while this code was loaded.
    const pointed = [...document.querySelectorAll(':hover')].at(-1);
    if (pointed && window.matchMedia('(hover: hover)').matches) onPoint(pointed);
    onFocus();
    const controller = new AbortController();
    const { signal } = controller;
    document.addEventListener('pointerdown', hide, { signal });
    document.addEventListener('pointerover', onPointer, { signal });
    document.addEventListener('focusin', onFocus, { signal });
    document.addEventListener('focusout', hide, { signal });
    document.addEventListener('keydown', onKey, { signal });
    document.addEventListener('scroll', hide, { capture: true, signal });
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  }, []);

  // Below the element, or above it at the bottom of the window; beside it in a column of icons, whose next one stays free.
  useLayoutEffect(() => {
    const { current } = panel;
    if (!shown || !current) return;
    const { left, right, top, bottom, height } = shown.of.getBoundingClientRect();
    const { offsetWidth, offsetHeight } = current;
    if (shown.of instanceof HTMLElement && shown.of.dataset.tooltipSide === 'right') {
      current.style.left = `${right + margin}px`;
      current.style.top = `${top + (height - offsetHeight) / 2}px`;
      return;
    }
    const fits = bottom + margin + offsetHeight <= window.innerHeight;
    current.style.left = `${Math.max(margin, Math.min(left, window.innerWidth - offsetWidth - margin))}px`;
    current.style.top = `${fits ? bottom + margin / 2 : top - offsetHeight - margin / 2}px`;
  }, [shown]);

  if (!shown) return null;
  return (
    // Hidden from assistive technology, which reads the whole text of the element.
    <div
      ref={panel}
      aria-hidden="true"
      data-tooltip-panel=""
      className="wrap-anywhere fixed z-60 w-max max-w-[min(24rem,calc(100vw-1rem))] whitespace-pre-line rounded-md bg-overlay px-2.5 py-1.5 text-ink text-xs shadow-overlay"
    >
      {shown.text}
    </div>
  );
}

/** Lists an element and the nearest ones around it, from the inside. A text can be cut by the cell that contains it. */
function ancestorsOf(element: Element): Element[] {
  const found: Element[] = [];
  for (let each: Element | null = element; each && found.length < 4; each = each.parentElement) found.push(each);
  return found;
}

/**
 * Returns the text of the first element with `data-tooltip`, or otherwise of all that are cut; null for none, and for a
 * button whose menu is open, which the tooltip would cover.
 */
function tooltipOf(elements: readonly Element[]): Shown | null {
  if (elements.some((element) => element.getAttribute('aria-expanded') === 'true')) return null;
  const described = elements.find((element) => element instanceof HTMLElement && element.dataset.tooltip);
  if (described instanceof HTMLElement) return { text: described.dataset.tooltip ?? '', of: described };
  const cut = elements.filter(isCut);
  const [first] = cut;
  const texts = cut.map((element) => element.textContent?.trim() ?? '').filter((text) => text !== '');
  return first && texts.length > 0 ? { text: [...new Set(texts)].join('\n'), of: first } : null;
}

/** Checks whether the element shows only a part of its text, with an ellipsis. */
function isCut(element: Element): boolean {
  if (!(element instanceof HTMLElement) || element.matches('input, select, textarea')) return false;
  const { textOverflow, webkitLineClamp } = getComputedStyle(element);
  return (
    (textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth) ||
    (webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight)
  );
}

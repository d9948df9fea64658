import 'react';

/** Allows CSS custom properties in `style`, which React supports but its types omit. */
declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | undefined;
  }
}

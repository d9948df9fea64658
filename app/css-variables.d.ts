import 'react';

/** React passes custom properties on; its types do not know them. */
declare module 'react' {
  interface CSSProperties {
    [name: `--${string}`]: string | undefined;
  }
}

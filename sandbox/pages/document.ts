import { type Markup, markup, Markup as Trusted } from './markup';
import { baseStyle } from './style';

/** Renders a complete page. @param style of this page, after the shared style */
export function renderDocument(title: string, style: string, body: Markup): string {
  return markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Trusted(baseStyle + style)}</style>
</head>
<body>
${body}
</body>
</html>`.text;
}

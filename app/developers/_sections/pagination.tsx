import { Definitions } from '@/app/developers/_components/definitions';
import { Example } from '@/app/developers/_components/example';
import type { Section } from './section';

export const pagination: Section = {
  id: 'pagination',
  title: 'Pagination',
  Content: () => (
    <>
      <p>
        A list is a JSON array. What belongs to the page and not to its items is in the headers of the response. Prefer
        cursors where a list has them: a page costs the same at any depth, and new items do not shift it.
      </p>
      <Definitions
        of={[
          ['limit', 'The number of items of a page. Some lists without it return all items as a stream.'],
          ['offset', 'The number of items to skip.'],
          ['cursor', 'The X-Next-Cursor of the previous page, instead of an offset.'],
          ['X-Total-Count', 'The number of items over all pages.'],
          ['X-Total-Capped', 'true if the count stopped at a limit, and there are more items.'],
          ['X-Next-Cursor', 'The cursor of the next page; omitted on the last one.'],
        ]}
      />
      <Example name="paginate" title="Read a whole list" />
    </>
  ),
};

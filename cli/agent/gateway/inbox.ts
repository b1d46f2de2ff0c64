import { Option } from 'commander'
import type { InboxItem, InboxReply } from '../../../schemas/gateway/inbox.ts'
import { gatewayOperations as group } from '../../../schemas/operations/gateway/index.ts'
import { showInbox } from '../../../schemas/operations/gateway/inbox.ts'
import { wholeNumber } from '../../options.ts'
import { age, untilText } from '../../output/duration.ts'
import { partsText } from '../../output/inbox-parts.ts'
import { exact, paint } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import { verb } from '../../verb.ts'

export const inbox = verb('inbox', group, showInbox, {
  options: {
    limit: new Option('--limit <n>', 'Maximum number of items').argParser(wholeNumber),
    after: new Option('--after <cursor>', 'Items after the "next" of a reply'),
    before: new Option('--before <cursor>', 'Items before the "previous" of a reply'),
  },
  examples: ['agent inbox', 'agent inbox --kind approval'],
  done: inboxText,
})

function inboxText({ items, missing, next }: InboxReply): string {
  return [
    inboxTable(
      items,
      missing.length > 0 ? 'Nothing else is waiting for you.' : 'Nothing is waiting for you.',
    ).trimEnd(),
    ...(next === null ? [] : [paint().dim(`next page: --after ${next}`)]),
    ...missing.map(({ kind, detail }) => paint().yellow(exact(`not shown: ${kind}: ${detail}`))),
  ].join('\n')
}

function inboxTable(items: InboxItem[], empty: string): string {
  return renderTable(
    items,
    [
      { title: 'KIND', value: ({ kind }) => kind },
      { title: 'WHAT', value: ({ title }) => partsText(title) },
      { title: 'DECIDED', value: ({ deadline }) => deadline && untilText(deadline), kind: 'time' },
      { title: 'AGO', value: ({ since }) => since && age(since), kind: 'time' },
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      { title: 'DETAIL', value: ({ detail }) => partsText(detail), kind: 'text' },
    ],
    empty,
  )
}

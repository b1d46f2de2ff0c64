import { InvalidArgumentError, Option } from 'commander'
import type { Document, DocumentRevision } from '../../../schemas/docstore/document.ts'
import * as operations from '../../../schemas/operations/docstore.ts'
import { confirm } from '../../confirm.ts'
import { wholeNumber, withYes } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'

const group = operations.docstoreOperations
const DEFAULT_CREATOR = 'user'

const idWord = { member: 'id', shown: '<id>', help: 'Id of the document, such as release-plan' }

const documentLine = (done: string, { id, title }: Pick<Document, 'id' | 'title'>) =>
  `document ${visible(id)} ${done}: ${visible(title)}`

/** Accepts `a,b` and `--tags a --tags b`; an empty string clears the list. */
const tagList = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== ''),
]

const tagsOption = (help: string) => new Option('--tags <tags>', help).argParser(tagList)
const contentOption = () => new Option('-c, --content <text>', 'Markdown text; - reads standard input')

function table(documents: readonly Document[]): string {
  return renderTable(
    documents,
    [
      { title: 'ID', value: ({ id }) => id },
      { title: 'TITLE', value: ({ title }) => title, kind: 'text' },
      { title: 'TAGS', value: ({ tags }) => tags.join(', ') || null, kind: 'text' },
      { title: 'BY', value: ({ created_by }) => created_by },
      { title: 'CHANGED', value: ({ updated_at }) => age(updated_at), kind: 'time' },
    ],
    'No documents.',
  )
}

function revisionTable(revisions: readonly DocumentRevision[]): string {
  return renderTable(
    revisions,
    [
      { title: 'REVISION', value: ({ revision }) => revision },
      { title: 'BY', value: ({ by }) => by },
      { title: 'TITLE', value: ({ title }) => title, kind: 'text' },
      { title: 'BYTES', value: ({ bytes }) => bytes },
      { title: 'AGO', value: ({ updated_at }) => age(updated_at), kind: 'time' },
    ],
    'No revisions.',
  )
}

const list = verb('list', group, operations.listDocuments, {
  summary: 'List documents, newest first',
  without: ['q', 'limit', 'offset', 'after', 'before'],
  options: {
    tags: tagsOption('Comma-separated tags; a document with any of them matches'),
    created_by: new Option('--by <name>', 'Creator of the document'),
  },
  request: ({ tags, ...rest }) => ({ ...rest, tags: (tags as string[] | undefined)?.join(',') || undefined }),
  examples: ['agent doc list --tags plan,handbook', 'agent doc list --by mira'],
  done: ({ documents }) => table(documents),
})

const search = verb('search', group, operations.listDocuments, {
  summary: 'Search documents that contain all words, best match first',
  args: [{ member: 'q', shown: '<words...>', help: 'Words in the title or text; prefixes match' }],
  without: ['tags', 'created_by', 'offset', 'after', 'before'],
  options: { limit: new Option('--limit <n>', 'Maximum number of documents').argParser(atLeastOne).default(20) },
  request: ({ q, ...rest }) => ({ ...rest, q: (q as string[]).join(' ') }),
  examples: ['agent doc search release plan'],
  done: ({ documents }) => table(documents),
})

function atLeastOne(text: string): number {
  const value = wholeNumber(text)
  if (value < 1) throw new InvalidArgumentError('expected a number of at least 1')
  return value
}

export const doc: readonly CommandEntry[] = [
  verb('create', group, operations.createDocument, {
    args: [{ member: 'title', shown: '<title>', help: 'Title; the id is derived from it' }],
    options: {
      content: contentOption(),
      tags: tagsOption('Comma-separated tags'),
      created_by: new Option('--by <name>', 'Creator of the document').default(DEFAULT_CREATOR),
    },
    examples: [
      'agent doc create "Release plan" -c "# Plan" --tags plan,q3',
      'agent doc create Handbook -c - --by mira < handbook.md',
    ],
    done: ({ document }) => documentLine('created', document),
  }),
  verb('read', group, operations.getDocument, {
    summary: 'Print a document; -o json includes its metadata',
    args: [idWord],
    examples: ['agent doc read release-plan'],
    done: ({ content }) => (process.stdout.isTTY ? visible(content) : content),
  }),
  verb('update', group, operations.updateDocument, {
    args: [idWord],
    options: {
      title: new Option('-t, --title <title>', 'New title; the id does not change'),
      content: contentOption(),
      tags: tagsOption('Comma-separated tags that replace the current ones; "" for none'),
    },
    examples: ['agent doc update release-plan -t "Release plan, final" --tags plan'],
    done: (document) => documentLine('updated', document),
  }),
  verb('delete', group, operations.deleteDocument, {
    summary: 'Delete a document and its revisions, after confirmation',
    args: [idWord],
    more: (command) => withYes(command).option('-f, --force', 'Same as --yes'),
    request: async (members, { options }) => {
      const id = visible(String(members.id))
      if (!options.force && !options.yes)
        await confirm(`Delete document ${id} and its revisions?`, 'run it in a terminal, or pass --yes')
      return members
    },
    examples: ['agent doc delete release-plan', 'agent doc delete release-plan --yes'],
    done: (_reply, { words }) => `document ${visible(String(words.id))} deleted`,
  }),
  list,
  search,
  verb('history', group, operations.listRevisions, {
    summary: 'List the revisions of a document, newest first',
    args: [idWord],
    examples: ['agent doc history release-plan'],
    done: revisionTable,
  }),
  verb('revision', group, operations.getRevision, {
    summary: 'Print a revision; -o json includes its metadata',
    args: [idWord, { member: 'revision', shown: '<revision>', help: 'Number of the revision' }],
    examples: ['agent doc revision release-plan 3'],
    done: ({ content }) => (process.stdout.isTTY ? visible(content) : content),
  }),
  healthVerb('doc', group, 'Check the health of the document store'),
]

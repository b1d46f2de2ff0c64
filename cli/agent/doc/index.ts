// Every verb of `agent doc`, and of `doc`, in the order help lists them.
import { InvalidArgumentError, Option } from 'commander'
import type { Document, DocumentRevision } from '../../../schemas/docstore/document.ts'
import * as operations from '../../../schemas/operations/docstore.ts'
import { confirm } from '../../confirm.ts'
import { wholeNumber } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'
import type { CommandEntry } from '../../program.ts'
import { healthVerb } from '../health.ts'
import { verb } from '../../verb.ts'
import { textOf } from './standard-input.ts'

const group = operations.docstoreOperations
const NOBODY = 'user'

const idWord = { member: 'id', shown: '<id>', help: 'id of the document, such as release-plan' }

const documentLine = (done: string, { id, title }: Pick<Document, 'id' | 'title'>) =>
  `document ${visible(id)} is ${done}: ${visible(title)}`

/** `a,b` and `--tags a --tags b` alike; an empty word takes all of them away. */
const tagList = (text: string, before: string[] = []): string[] => [
  ...before,
  ...text
    .split(',')
    .map((tag) => tag.trim())
    .filter((tag) => tag !== ''),
]

const tagsOption = (help: string) => new Option('--tags <tags>', help).argParser(tagList)
const contentOption = () => new Option('-c, --content <text>', 'markdown; - reads it from standard input')

function table(documents: readonly Document[]): string {
  return renderTable(
    documents,
    [
      { title: 'ID', value: ({ id }) => id },
      { title: 'TITLE', value: ({ title }) => title },
      { title: 'TAGS', value: ({ tags }) => tags.join(', ') || null },
      { title: 'BY', value: ({ created_by }) => created_by },
      { title: 'CHANGED', value: ({ updated_at }) => age(updated_at) },
    ],
    'No document.',
  )
}

function revisionTable(revisions: readonly DocumentRevision[]): string {
  return renderTable(
    revisions,
    [
      { title: 'REVISION', value: ({ revision }) => revision },
      { title: 'BY', value: ({ by }) => by },
      { title: 'TITLE', value: ({ title }) => title },
      { title: 'BYTES', value: ({ bytes }) => bytes },
      { title: 'AGO', value: ({ updated_at }) => age(updated_at) },
    ],
    'No revision.',
  )
}

const readContent = async (members: Record<string, unknown>) => ({
  ...members,
  content: await textOf(members.content as string | undefined),
})

const list = verb('list', group, operations.listDocuments, {
  summary: 'documents with any of the tags, by their creator; newest first',
  without: ['q', 'limit', 'offset'],
  options: {
    tags: tagsOption('with commas between; any of them matches'),
    created_by: new Option('--by <name>', 'who made it'),
  },
  request: ({ tags, ...rest }) => ({ ...rest, tags: (tags as string[] | undefined)?.join(',') || undefined }),
  examples: ['agent doc list --tags plan,handbook', 'agent doc list --by mira'],
  done: ({ documents }) => table(documents),
})

const search = verb('search', group, operations.listDocuments, {
  summary: 'documents that have all the words; the best first',
  args: [{ member: 'q', shown: '<words...>', help: 'words of the title or the text; the beginning of a word will do' }],
  without: ['tags', 'created_by', 'offset'],
  options: { limit: new Option('--limit <n>', 'most documents').argParser(atLeastOne).default(20) },
  request: ({ q, ...rest }) => ({ ...rest, q: (q as string[]).join(' ') }),
  examples: ['agent doc search release plan'],
  done: ({ documents }) => table(documents),
})

function atLeastOne(text: string): number {
  const value = wholeNumber(text)
  if (value < 1) throw new InvalidArgumentError('wanted a number of at least 1.')
  return value
}

export const doc: readonly CommandEntry[] = [
  verb('create', group, operations.createDocument, {
    args: [{ member: 'title', shown: '<title>', help: 'what it is called; its id is made of it' }],
    options: {
      content: contentOption(),
      tags: tagsOption('what it is found by, with commas between'),
      created_by: new Option('--by <name>', 'who made it').default(NOBODY),
    },
    request: readContent,
    examples: [
      'agent doc create "Release plan" -c "# Plan" --tags plan,q3',
      'agent doc create Handbook -c - --by mira < handbook.md',
    ],
    done: ({ document }) => documentLine('kept', document),
  }),
  verb('read', group, operations.getDocument, {
    summary: 'the text of a document; -o json: all of it',
    args: [idWord],
    examples: ['agent doc read release-plan'],
    done: ({ content }) => (process.stdout.isTTY ? visible(content) : content),
  }),
  verb('update', group, operations.updateDocument, {
    args: [idWord],
    options: {
      title: new Option('-t, --title <title>', 'what it is called; its id stays'),
      content: contentOption(),
      tags: tagsOption('in the place of those it has; "" for none'),
    },
    request: readContent,
    examples: ['agent doc update release-plan -t "Release plan, final" --tags plan'],
    done: (document) => documentLine('changed', document),
  }),
  verb('delete', group, operations.deleteDocument, {
    summary: 'delete a document and its revisions, after a question',
    args: [idWord],
    more: (command) => command.option('-f, --force', 'without the question'),
    request: async (members, { options }) => {
      const id = visible(String(members.id))
      if (!options.force)
        await confirm(`Delete document ${id} and its revisions?`, 'run it in a terminal, or say --force')
      return members
    },
    examples: ['agent doc delete release-plan', 'agent doc delete release-plan --force'],
    done: (_reply, { words }) => `document ${visible(String(words.id))} is deleted`,
  }),
  list,
  search,
  verb('history', group, operations.listRevisions, {
    summary: 'what a document was, newest first',
    args: [idWord],
    examples: ['agent doc history release-plan'],
    done: revisionTable,
  }),
  verb('revision', group, operations.getRevision, {
    summary: 'the text of a document as it was; -o json: all of it',
    args: [idWord, { member: 'revision', shown: '<revision>', help: 'its number' }],
    examples: ['agent doc revision release-plan 3'],
    done: ({ content }) => (process.stdout.isTTY ? visible(content) : content),
  }),
  healthVerb('doc', group, 'whether the document store answers, and how it is'),
]

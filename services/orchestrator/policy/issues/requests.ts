// HTTP requests of shell commands that create or close an issue.
import type { ShellWord } from '../shell/shell-word.ts'
import { readArguments, type ArgumentTable, type Arguments } from './arguments.ts'

interface IssueRequest {
  /** Null: not known. */
  methods: readonly (string | null)[]
  endpoints: readonly Endpoint[]
  /** Whether the `state` of the body may be closed. */
  mayClose: boolean
  /** Text that may be a query of GraphQL; null: not known. */
  query: string | null
}

/** `list`: `…/issues`; `issue`: `…/issues/N`. */
type Endpoint = 'list' | 'issue' | 'graphql'

const CHANGES_ISSUE = /\b(createIssue|closeIssue)\b/

function changes({ methods, endpoints, mayClose, query }: IssueRequest): boolean {
  const sends = (method: string) => methods.some((each) => each === null || each === method)
  return endpoints.some((endpoint) => {
    if (endpoint === 'list') return sends('POST')
    if (endpoint === 'issue') return sends('PATCH') && mayClose
    return sends('POST') && (query === null || CHANGES_ISSUE.test(query))
  })
}

const GH_API: ArgumentTable = {
  values: {
    '-X': 'method',
    '--method': 'method',
    '-f': 'raw-field',
    '--raw-field': 'raw-field',
    '-F': 'field',
    '--field': 'field',
    '--input': 'input',
    '-H': 'header',
    '--header': 'header',
    '-q': 'jq',
    '--jq': 'jq',
    '-t': 'template',
    '--template': 'template',
    '-p': 'preview',
    '--preview': 'preview',
    '--hostname': 'hostname',
    '--cache': 'cache',
  },
  splitsShort: true,
}

/** `words`: behind `gh api`. `source`: of the whole script. */
export function ghApiChanges(words: readonly ShellWord[], source: string): boolean {
  const given = readArguments(words, GH_API)
  const hasInput = valuesOf(given, 'input').length > 0
  const fields = given.options.flatMap(({ name, value }) =>
    name === 'field' || name === 'raw-field' ? [fieldOf(value, name === 'field')] : [],
  )
  const named = (wanted: string) =>
    fields.flatMap(({ name, value }) => (name === null || name === wanted ? [value] : []))
  const queries = named('query')
  return changes({
    methods: methodsOf(given) ?? [hasInput || fields.length > 0 ? 'POST' : 'GET'],
    endpoints: given.operands.slice(0, 1).flatMap((word) => endpointsOf(word, source)),
    mayClose: hasInput || named('state').some((state) => state === null || state.toLowerCase() === 'closed'),
    query: hasInput || queries.includes(null) ? null : queries.join('\n'),
  })
}

/** `readsFiles`: a value that begins with `@` names a file. */
function fieldOf({ text, is }: ShellWord, readsFiles: boolean): { name: string | null; value: string | null } {
  const end = text.indexOf('=')
  if (end < 0) return { name: is === 'literal' ? text : null, value: null }
  const value = text.slice(end + 1)
  const isKnown = is === 'literal' && !(readsFiles && value.startsWith('@'))
  return { name: text.slice(0, end), value: isKnown ? value : null }
}

const CURL: ArgumentTable = {
  values: {
    '-X': 'method',
    '--request': 'method',
    '-d': 'data',
    '--data': 'data',
    '--data-ascii': 'data',
    '--data-binary': 'data',
    '--json': 'data',
    '--data-raw': 'text',
    '--data-urlencode': 'hidden',
    '-F': 'hidden',
    '--form': 'hidden',
    '--form-string': 'hidden',
    '-T': 'upload',
    '--upload-file': 'upload',
    '--url': 'url',
    ...ignored(
      '-A -b -c -C -D -e -E -H -K -m -o -P -Q -r -t -u -U -w -x -y -Y -z --header --user-agent --user --output ' +
        '--cookie --cookie-jar --referer --proxy --cacert --cert --key --max-time --connect-timeout --retry ' +
        '--retry-delay --retry-max-time --write-out --dump-header --resolve --config --url-query',
    ),
  },
  flags: { '-G': 'get', '--get': 'get', '-I': 'head', '--head': 'head' },
  abbreviates: true,
}

export function curlChanges(words: readonly ShellWord[], source: string): boolean {
  const given = readArguments(words, CURL)
  const bodies = given.options.flatMap(({ name, value }) =>
    ['data', 'text', 'hidden'].includes(name) ? [curlBody(name, value)] : [],
  )
  const usual = () => {
    if (hasOption(given, 'get')) return 'GET'
    if (hasOption(given, 'head')) return 'HEAD'
    if (hasOption(given, 'upload')) return 'PUT'
    return bodies.length > 0 ? 'POST' : 'GET'
  }
  const uploads = hasOption(given, 'upload') ? [null] : []
  return changes({
    methods: methodsOf(given) ?? [usual()],
    endpoints: [...given.operands, ...valuesOf(given, 'url')].flatMap((word) => endpointsOf(word, source)),
    ...bodyOf([...bodies, ...uploads], '&'),
  })
}

const curlBody = (name: string, { text, is }: ShellWord): string | null =>
  is !== 'literal' || name === 'hidden' || (name === 'data' && text.startsWith('@')) ? null : text

const WGET: ArgumentTable = {
  values: {
    '--method': 'method',
    '--post-data': 'text',
    '--body-data': 'body',
    '--post-file': 'file',
    '--body-file': 'body-file',
    ...ignored('-o -a -B -t -O -T -w -Q -P -U -l -A -R -D -I -X -e --header --referer --user-agent --output-document'),
  },
  abbreviates: true,
}

export function wgetChanges(words: readonly ShellWord[], source: string): boolean {
  const given = readArguments(words, WGET)
  const bodies = given.options.flatMap(({ name, value }) => {
    if (name === 'text' || name === 'body') return [value.is === 'literal' ? value.text : null]
    return name === 'file' || name === 'body-file' ? [null] : []
  })
  const isPost = hasOption(given, 'text') || hasOption(given, 'file')
  return changes({
    methods: methodsOf(given) ?? [isPost ? 'POST' : 'GET'],
    endpoints: given.operands.flatMap((word) => endpointsOf(word, source)),
    ...bodyOf(bodies, '&'),
  })
}

function ignored(options: string): Record<string, string> {
  return Object.fromEntries(options.split(' ').map((option) => [option, 'ignored']))
}

const valuesOf = ({ options }: Arguments, wanted: string): ShellWord[] =>
  options.flatMap(({ name, value }) => (name === wanted ? [value] : []))

const hasOption = (given: Arguments, wanted: string): boolean => valuesOf(given, wanted).length > 0

/** Null without an explicit method. */
function methodsOf(given: Arguments): (string | null)[] | null {
  const methods = valuesOf(given, 'method').map(({ text, is }) => (is === 'literal' ? text.toUpperCase() : null))
  return methods.length > 0 ? methods : null
}

function bodyOf(parts: readonly (string | null)[], separator: string): Pick<IssueRequest, 'mayClose' | 'query'> {
  if (parts.length === 0) return { mayClose: false, query: '' }
  if (parts.includes(null)) return { mayClose: true, query: null }
  const text = parts.join(separator)
  try {
    const body: unknown = JSON.parse(text)
    if (typeof body !== 'object' || body === null) return { mayClose: true, query: text }
    const { state } = body as Record<string, unknown>
    // JSON can spell a letter as \u0063.
    return { mayClose: state !== undefined && state !== 'open', query: JSON.stringify(body) }
  } catch {
    return { mayClose: true, query: text }
  }
}

/** Of an address that is not known, the words of the script that look like one count. */
function endpointsOf({ text, is }: ShellWord, source: string): Endpoint[] {
  const written = is === 'literal' ? [text] : source.split(/[\s"'`;|&()<>]+/).filter((each) => each.includes('/'))
  return written.flatMap((each) => endpointOf(each) ?? [])
}

function endpointOf(address: string): Endpoint | null {
  const path = decoded(address.replace(/^[a-z][a-z0-9+.-]*:\/\/[^/?#]*/i, '').replace(/[?#].*$/s, ''))
  const [last = '', before = ''] = path.toLowerCase().split('/').filter(Boolean).toReversed()
  if (last === 'graphql' || last === 'issues') return last === 'graphql' ? 'graphql' : 'list'
  return before === 'issues' ? 'issue' : null
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

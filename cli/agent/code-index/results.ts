import type { FileLines } from '../../../schemas/code-index/file.ts'
import type { Repository, RepositoryState } from '../../../schemas/code-index/repository.ts'
import type { AgenticReply, SearchReply } from '../../../schemas/code-index/search.ts'
import { age } from '../../output/duration.ts'
import { exact, paint, visible } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'

/** Maximum lines shown per result. */
const SHOWN = 6

export const repositoryTable = (repositories: readonly Repository[]): string =>
  renderTable(
    repositories,
    [
      { title: 'ID', value: ({ id }) => id, kind: 'id' },
      { title: 'NAME', value: ({ name }) => name },
      {
        title: 'STATUS',
        value: ({ status }) => status,
        colour: ({ status }) => ({ ready: 'green', error: 'red' } as const)[status as 'ready' | 'error'],
      },
      { title: 'PATH', value: ({ path }) => path, kind: 'path' },
      {
        title: 'INDEXED',
        value: ({ last_indexed }) => (last_indexed === null ? null : `${age(last_indexed)} ago`),
        kind: 'time',
      },
      { title: 'ERROR', value: ({ error_message }) => error_message, kind: 'text' },
    ],
    'No repositories.',
  )

export function resultText({ results, query_time_ms }: SearchReply): string {
  const colours = paint()
  const found = results.map(({ file_path, start_line, end_line, symbol_name, chunk_type, score, content }) => {
    const head = `${colours.cyan(exact(file_path))}:${start_line}-${end_line}`
    const name = symbol_name === null ? chunk_type : `${chunk_type} ${visible(symbol_name)}`
    const lines = content.split('\n')
    const more = lines.length > SHOWN ? [colours.dim(`… ${lines.length - SHOWN} more lines`)] : []
    const shown = lines.slice(0, SHOWN).map((line) => visible(line))
    return [
      `${head}  ${name}  ${colours.dim(score.toFixed(3))}`,
      ...[...shown, ...more].map((line) => `    ${line}`),
    ].join('\n')
  })
  return found.length === 0
    ? 'Nothing found.'
    : [...found, colours.dim(`${found.length} found in ${query_time_ms} ms`)].join('\n')
}

export function matchText({ matches, query_time_ms }: AgenticReply): string {
  const colours = paint()
  const found = matches.map(({ file_path, line_number, content, context_before, context_after }) => {
    const around = (lines: readonly string[]) => lines.map((line) => colours.dim(`    ${visible(line)}`))
    const line = `${colours.cyan(exact(file_path))}:${line_number}: ${visible(content)}`
    return [...around(context_before), line, ...around(context_after)].join('\n')
  })
  return found.length === 0
    ? 'Nothing found.'
    : [...found, colours.dim(`${found.length} found in ${query_time_ms} ms`)].join('\n')
}

export function fileText({ path, from, lines, total_lines }: FileLines): string {
  const colours = paint()
  const last = from + lines.length - 1
  const wide = String(last).length
  const shown = lines.map((line, at) => `${colours.dim(String(from + at).padStart(wide))}  ${visible(line)}`)
  const part = lines.length === 0 ? 'no lines' : `lines ${from} to ${last}`
  return [...shown, colours.dim(`${exact(path)}: ${part} of ${total_lines}`)].join('\n')
}

export function stateText({ status, last_indexed, error_message, model, progress }: RepositoryState): string {
  const colours = paint()
  const colour = { pending: colours.yellow, indexing: colours.yellow, ready: colours.green, error: colours.red }[status]
  const told = [colour(status)]
  if (progress) {
    const { files, files_total, chunks, chunks_per_second, remaining_secs } = progress
    const rate = chunks_per_second === null ? '' : `, ${chunks_per_second} chunks/s`
    const left = remaining_secs === null || status !== 'indexing' ? '' : `, about ${remaining_secs} s left`
    told.push(`${files} of ${files_total ?? '?'} files, ${chunks} chunks${rate}${left}`)
  }
  if (model !== null) told.push(colours.dim(visible(model)))
  if (last_indexed !== null) told.push(`indexed ${age(last_indexed)} ago`)
  return [told.join('  '), ...(error_message === null ? [] : [`  ${visible(error_message)}`])].join('\n')
}

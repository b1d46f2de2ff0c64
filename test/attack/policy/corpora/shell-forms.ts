// Tool calls as text for a shell, so that every attack can be run in one.

const quoted = (text: unknown): string => `'${String(text).replaceAll("'", "'\\''")}'`

/** Does what the tool would do. Throws for a tool without a form. */
export function shellFormOf(tool: string, input: Record<string, unknown>): string {
  const path = quoted(input.file_path ?? input.notebook_path ?? input.path ?? '.')
  switch (tool) {
    case 'Bash':
      return String(input.command)
    case 'Read':
      return `cat -- ${path}`
    case 'Glob':
      return `find ${path} -name ${quoted(input.pattern)}`
    case 'Grep':
      return `grep -r -e ${quoted(input.pattern)} -- ${path}`
    case 'WebFetch':
      return `curl -s -- ${quoted(input.url)}`
    case 'Write':
      return `mkdir -p -- "$(dirname -- ${path})" && printf %s ${quoted(input.content)} > ${path}`
    case 'NotebookEdit':
      return `printf %s ${quoted(input.new_source)} > ${path}`
    case 'Edit':
      return editOf(path, [input])
    case 'MultiEdit':
      return editOf(path, input.edits as Record<string, unknown>[])
    default:
      throw new Error(`the tool ${tool} has no form for a shell; expected Bash, a file tool or WebFetch`)
  }
}

const editOf = (path: string, edits: readonly Record<string, unknown>[]): string =>
  [
    `t=$(cat -- ${path})`,
    ...edits.map((edit) => `t=\${t/${quoted(edit.old_string)}/${quoted(edit.new_string)}}`),
    `printf '%s\\n' "$t" > ${path}`,
  ].join('; ')

import type { TriggerInput } from '../../../schemas/workflow/record.ts'

/** Reads lines of the form `key=value`. Throws a SyntaxError that names the line. */
function variablesOf(text: string): Record<string, string> {
  const variables: Record<string, string> = {}
  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue
    const at = line.indexOf('=')
    if (at < 1) throw new SyntaxError(`line ${index + 1}: expected key=value; got "${line}"`)
    variables[line.slice(0, at).trim()] = line.slice(at + 1).trim()
  }
  return variables
}

/** A task of a person; empty fields are left out. Throws a SyntaxError for variables that are not `key=value`. */
export function taskOf({ title, body, variables }: { title: string; body: string; variables: string }): TriggerInput {
  const metadata = variablesOf(variables)
  return {
    ...(title.trim() === '' ? {} : { title }),
    ...(body.trim() === '' ? {} : { body }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  }
}

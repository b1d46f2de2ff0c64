import type { Fault, Path } from '../../schemas/kind.ts'

const NAME = /(API|ACCESS|PRIVATE|SECRET)_?KEY$/i
/** Shorter values are probably placeholders. */
const LEAST = 8
/** Of model providers, forges, clouds and chats. */
const FORM =
  /^(sk-[\w-]{16,}|gh[pousr]_\w{20,}|github_pat_\w{20,}|glpat-[\w-]{16,}|AKIA[0-9A-Z]{16}|AIza[\w-]{30,}|xox[abprs]-[\w-]{10,}|npm_\w{30,})$/

/** A warning if the text of a secret field is a key; null if it names a variable. */
export function literalKey(text: string, path: Path): Fault | null {
  const name = String(path.at(-1))
  if (text.includes('${') || !(FORM.test(text) || (NAME.test(name) && text.length >= LEAST))) return null
  const variable = /^[A-Z_][A-Z0-9_]*$/.test(name) ? name : 'NAME'
  return {
    path,
    code: 'secret-literal',
    message: `${path.join('.')} is a key in plain text: everyone who can read this file can use it`,
    hint: `write \${${variable}}, set the variable where svc runs, and replace the key at its issuer`,
    severity: 'warning',
  }
}

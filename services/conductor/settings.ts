import { gitAddress } from '../../platform/git/address.ts'
import { httpAddress, type Setting, type Settings } from '../../platform/service/settings.ts'
import { FORGE_REPOSITORY } from '../../schemas/conductor/request.ts'

const LOGIN = /^[A-Za-z0-9][A-Za-z0-9-]{0,38}(\[bot\])?$/
/** Names that git refuses, and those that a program could take for an option. */
const NO_BRANCH = /^[-/.]|[\s~^:?*[\\\p{Cc}]|\.\.|@\{|\/\/|[/.]$|\.lock$/u

function optional<T>(wanted: string, parse: (text: string) => T | undefined, variable?: string): Setting<T | null> {
  return { default: null, wanted, parse, ...(variable === undefined ? {} : { variable }) }
}

const fitting = (pattern: RegExp) => (text: string) => (pattern.test(text) ? text : undefined)

export const settings = {
  /** For requests that name none. */
  repository: optional('owner/name, such as acme/shop', fitting(new RegExp(FORGE_REPOSITORY))),
  /** Git address. Null: the one that the forge reports, if it is https and of the site of the API. */
  remote: optional(
    'a git address with {owner} and {name}, such as ssh://git@git.example.com/{owner}/{name}.git',
    (text) => (isRemote(text) ? text : undefined),
  ),
  pipelineBase: optional(
    'the name of a branch',
    (text) => (text.length <= 255 && !NO_BRANCH.test(text) ? text : undefined),
    'SVC_PIPELINE_BASE',
  ),
  mention: optional('a name with @, such as @ada', fitting(/^@[A-Za-z0-9][\w./-]{0,99}$/)),
  /** Logins whose reviews count though they may not write. */
  reviewers: {
    default: [],
    wanted: 'logins separated by commas, such as ada,lin',
    parse: (text) => {
      const logins = text.split(',').map((each) => each.trim())
      return logins.every((each) => LOGIN.test(each)) ? logins : undefined
    },
  } as Setting<readonly string[]>,
  forgeApiUrl: httpAddress({ default: 'https://api.github.com', variable: 'SVC_FORGE_API_URL' }),
} satisfies Settings

/** Both parts are needed: another repository of a request must not be pushed to the same remote. */
function isRemote(text: string): boolean {
  if (!text.includes('{owner}') || !text.includes('{name}')) return false
  try {
    const { ref, path } = gitAddress(
      text.replaceAll('{owner}', 'acme').replaceAll('{name}', 'shop'),
      'SVC_CONDUCTOR_REMOTE',
    )
    return ref === null && path === ''
  } catch {
    return false
  }
}

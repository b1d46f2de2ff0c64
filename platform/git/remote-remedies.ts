// What is to be done where a repository elsewhere refuses us, or we refuse it: for what people meet most.
import type { GitCredentials } from './credentials.ts'

/** In plain words with the next step, by the lines that git and ssh said; null for what says itself what is wrong. */
export function remedyOf(lines: readonly string[], url: string, credentials: GitCredentials): string | null {
  const said = (pattern: RegExp) => lines.find((line) => pattern.test(line))
  if (said(/request for unadvertised object/) !== undefined)
    return 'its server gives what branches and tags name, and nothing else: let it speak protocol 2 of git (AcceptEnv GIT_PROTOCOL of sshd), or set uploadpack.allowAnySHA1InWant there'
  if (url.startsWith('ssh:')) return sshRemedy(said, new URL(url), credentials)
  if (said(/Authentication failed|could not read (Username|Password)/) === undefined) return null
  const { passwordVariable } = credentials
  return passwordVariable === undefined
    ? 'it asks for a password: name the variable that has it under credentials: { password_variable: NAME }'
    : `it does not take the password of ${passwordVariable}: look whether it has expired, and may read the repository`
}

type Said = (pattern: RegExp) => string | undefined

function sshRemedy(said: Said, { hostname, port, username }: URL, credentials: GitCredentials): string | null {
  const { sshKeyFile, knownHostsFile = '~/.ssh/known_hosts' } = credentials
  const host = port === '' ? hostname : `[${hostname}]:${port}`
  const add = `add it to ${knownHostsFile} (ssh-keyscan ${port === '' ? '' : `-p ${port} `}${hostname} shows it)`
  if (said(/REMOTE HOST IDENTIFICATION HAS CHANGED|key .* has changed/) !== undefined)
    return `host ${host} shows another key than ${knownHostsFile} has for it, and is not spoken with: somebody may stand in between; where its operator says that the key is new, take the old one out (ssh-keygen -R "${host}" -f ${knownHostsFile}) and ${add}`
  if (said(/Host key verification failed|No .* host key is known/) !== undefined)
    return `the key of host ${host} is not known: compare it with what its operator publishes and ${add}, or name another file under credentials: { known_hosts_file: FILE }`
  if (said(/UNPROTECTED PRIVATE KEY FILE|bad permissions/) !== undefined)
    return `ssh does not use ${sshKeyFile ?? 'a key'} that others may read: chmod 600 it`
  const unusable = said(/^Load key /)
  if (unusable !== undefined) return `${unusable}: name a private key without a passphrase, or one of the ssh agent`
  if (said(/Permission denied \(/) === undefined) return null
  const key = sshKeyFile === undefined ? "none of the daemon's keys" : `not the key ${sshKeyFile}`
  return `${host} takes ${key} for ${username || 'this user'}: add its public half there as one that may read, or name another without a passphrase under credentials: { ssh_key_file: FILE }`
}

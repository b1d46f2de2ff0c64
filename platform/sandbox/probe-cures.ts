interface Host {
  isRoot: boolean
  /** The kernel lets only programs with a profile make user namespaces. */
  hasAppArmor: boolean
}

const OFF = 'or write sandbox: off'
const IN_CONTAINER = `in a container, the container is the boundary: write sandbox: off, or choose another with runs_on`

const CAPABILITY =
  'give the daemon the capability CAP_SETFCAP (systemd: CapabilityBoundingSet), or run it as an ordinary user'
const PROFILE = [
  'allow bubblewrap by its AppArmor profile:',
  'apt install apparmor-profiles;',
  'ln -s /usr/share/apparmor/extra-profiles/bwrap-userns-restrict /etc/apparmor.d/;',
  'apparmor_parser -r /etc/apparmor.d/bwrap-userns-restrict',
].join(' ')
const NAMESPACES = 'allow user namespaces: sysctl kernel.unprivileged_userns_clone=1 and user.max_user_namespaces=10000'
const UPGRADE = 'upgrade bubblewrap to 0.8 or later'

/** The next step for an error message of bubblewrap. */
export function bwrapCure(words: string, { isRoot, hasAppArmor }: Host): string {
  const isMap = words.includes('setting up uid map')
  if (isMap && isRoot) return `${CAPABILITY}; ${IN_CONTAINER}`
  if (isMap || (words.includes('RTM_NEWADDR') && hasAppArmor)) return `${PROFILE}; ${OFF}`
  if (/No permissions to creat|max_\*_namespaces/.test(words)) return `${NAMESPACES}; ${IN_CONTAINER}`
  if (/Can't mount proc|RTM_NEWADDR/.test(words)) return IN_CONTAINER
  if (words.includes('Unknown option')) return `${UPGRADE}, ${OFF}`
  return `run bwrap by hand to find the cause, ${OFF}`
}

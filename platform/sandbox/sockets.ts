// Sockets of the host by which a program controls the host, whoever owns them.

const CONTROLS: [pattern: RegExp, service: string][] = [
  [/docker|containerd|podman|crio|buildkit|lxd|libvirt|virtqemud|cri-dockerd/i, 'a container or machine service'],
  [/\/tmux-\d+\/|\/screens?\//, 'a terminal multiplexer'],
  [/dbus|\/bus$/i, 'D-Bus'],
  [/\/systemd\/|snapd/, 'the service manager'],
  [/\/X11-unix\/|\/wayland-\d+$|pipewire|pulse/, 'the desktop'],
  [/\/svc[^/]*\.sock(et)?$/, 'the daemon'],
]

/** The service that a socket controls; null if a sandbox may use the socket. `path`: without links. */
export function controlledBy(path: string): string | null {
  return CONTROLS.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

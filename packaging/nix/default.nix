# SPDX-License-Identifier: GPL-2.0-only
#
# The command with the library, the module, a configuration of NixOS with both, and a test
# of it in a virtual machine:
#
#	nix-build packaging/nix -A profil
#	nix-build packaging/nix -A test
{ pkgs ? import <nixpkgs> { } }:

let
  version = "0.1";
  src = pkgs.lib.cleanSource ../..;

  profil = pkgs.stdenv.mkDerivation {
    pname = "profil";
    inherit version src;
    nativeBuildInputs = [ pkgs.pkg-config ];
    buildInputs = [ pkgs.capstone pkgs.curl pkgs.elfutils pkgs.libiberty pkgs.zlib ];
    buildFlags = [ "tools" ];
    installTargets = [ "install-tools" ];
    # With a DESTDIR make leaves the index of the machine's libraries alone.
    makeFlags = [ "PREFIX=${placeholder "out"}" "DESTDIR=/" ];
  };

  module = kernel:
    let release = kernel.modDirVersion;
    in pkgs.stdenv.mkDerivation {
      pname = "profil-module";
      version = "${version}-${kernel.version}";
      inherit src;
      nativeBuildInputs = kernel.moduleBuildDependencies;
      hardeningDisable = [ "pic" "format" ];
      buildFlags = [ "module" ];
      makeFlags = [ "KDIR=${kernel.dev}/lib/modules/${release}/build" ];
      installPhase = "install -D -t $out/lib/modules/${release}/updates profil.ko";
    };

  machine = { config, ... }: {
    boot.extraModulePackages = [ (module config.boot.kernelPackages.kernel) ];
    boot.kernelModules = [ "profil" ];
    environment.systemPackages = [ profil ];
    services.udev.extraRules = builtins.readFile ../60-profil.rules;
    users.groups.profil = { };
    systemd.packages = [ profil ];
    systemd.tmpfiles.packages = [ profil ];
    systemd.services.profil.wantedBy = [ "multi-user.target" ];
  };

  test = pkgs.testers.runNixOSTest {
    name = "profil";
    nodes.machine = {
      imports = [ machine ];
      systemd.services.profil.environment.EVERY = "10s";
    };
    testScript = ''
      machine.wait_for_unit("profil.service")
      machine.wait_until_succeeds("ls /var/lib/profil/machine/spool/*.data")
      machine.succeed("profil report -i $(ls /var/lib/profil/machine/spool/*.data | head -n 1)")
      machine.succeed("profil run -- sha256sum $(command -v bash)")
      machine.succeed("profil doctor | grep 'profil.service records the machine'")
    '';
  };
in { inherit profil module machine test; }

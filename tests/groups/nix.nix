# SPDX-License-Identifier: GPL-2.0-only
#
# All expressions of packaging/nix, with names in place of packages and of functions that
# build: nix-instantiate --eval --strict
let
  names = [ "capstone" "curl" "elfutils" "libiberty" "pkg-config" "zlib" ];
  packages = builtins.listToAttrs (map (name: { inherit name; value = name; }) names);
  pkgs = packages // {
    lib.cleanSource = path: path;
    stdenv.mkDerivation = arguments: arguments;
    testers.runNixOSTest = test: test // {
      nodes.machine = test.nodes.machine // { imports = [ ]; };
    };
  };
  kernel = {
    version = "6.12.1";
    modDirVersion = "6.12.1";
    dev = "/kernel";
    moduleBuildDependencies = [ ];
  };
  all = import ../../packaging/nix { inherit pkgs; };
in [
  all.profil
  (all.module kernel)
  (all.machine { config.boot.kernelPackages = { inherit kernel; }; })
  all.test
]

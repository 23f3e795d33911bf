// How the guide is ordered: groups in the order of the sidebar, each document with its short title. A document that is missing here is an error.
export const guide = [
  ['Tutorials', [
    ['tools/docs/TUTORIAL_ROS_GAZEBO.md', 'ROS and Gazebo'],
    ['tools/docs/TUTORIAL_MUJOCO.md', 'MuJoCo'],
    ['tools/docs/TUTORIAL_ROBOTRAN.md', 'Robotran'],
    ['tools/docs/PYTHON.md', 'Python'],
  ]],
  ['How to', [
    ['tools/docs/INSTALL.md', 'Install'],
    ['tools/docs/CONVERT.md', 'Convert a file'],
    ['tools/docs/TASKS.md', 'Ten common tasks'],
    ['tools/docs/LIBRARY.md', 'Use the library'],
    ['tools/docs/PIPELINES.md', 'Convert folders'],
    ['tools/docs/CI.md', 'Check in CI'],
    ['tools/docs/LINT.md', 'Find mistakes'],
    ['tools/docs/SIMULATE.md', 'Simulate'],
    ['tools/docs/EXPORT.md', 'Export equations'],
    ['tools/docs/GALLERY.md', 'Draw graphs'],
    ['tools/docs/WEB.md', 'Page and npm'],
    ['tools/docs/MIGRATE.md', 'Move to kinemorph'],
  ]],
  ['For one program', [
    ['tools/docs/GAZEBO.md', 'Gazebo'],
    ['tools/docs/DRAKE.md', 'Drake'],
    ['tools/docs/USD.md', 'Isaac and Newton (USD)'],
    ['tools/docs/MJCF_PORTABLE.md', 'Readers of MJCF'],
    ['tools/docs/URDF_READERS.md', 'Readers of URDF'],
    ['tools/docs/PINOCCHIO.md', 'Pinocchio'],
    ['tools/docs/PYBULLET.md', 'PyBullet'],
    ['tools/docs/DART.md', 'DART and iDynTree'],
    ['tools/docs/PLACO.md', 'placo'],
    ['tools/docs/HYRODYN.md', 'HyRoDyn'],
    ['formats/urdf/GRBDA.md', 'GRBDA'],
    ['tools/docs/SIDECARS.md', 'Side-cars, SRDF, ROS 2'],
    ['tools/docs/XACRO.md', 'xacro'],
  ]],
  ['Background', [
    ['tools/docs/FAQ.md', 'Questions'],
    ['tools/docs/PROOF.md', 'What is proved'],
    ['tools/docs/COMPARISON.md', 'Comparison'],
    ['tools/docs/CLOSURES.md', 'How loops are closed'],
    ['tools/docs/SCOREBOARD.md', 'Scoreboard'],
    ['tools/docs/SPEED.md', 'Speed'],
    ['tools/docs/GROWTH.md', 'Growth'],
    ['tools/docs/STYLE.md', 'How texts are written'],
  ]],
  ['Reference', [
    ['tools/docs/FORMATS.md', 'Table of formats'],
    ['tools/docs/SCHEMAS.md', 'Schemas'],
    ['tools/docs/GLOSSARY.md', 'Words'],
  ]],
];

/** The address of a document: its file name in small letters. */
export const addressOf = (file) => '/guide/' + file.replace(/^.*\//, '').replace(/\.md$/, '').toLowerCase();

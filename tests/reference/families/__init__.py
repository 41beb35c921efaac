"""Networks as people build them, one of each family."""

#: Builders in networks.py.
NAMES = [
    "deeplab", "unet", "yolov5", "yolov10_attention", "transformer", "shufflenet", "mobilenetv3",
    "efficientnet", "convnext", "super_resolution", "gru", "bidirectional_lstm", "wavenet",
    "face_embedding", "feature_pyramid", "squeeze_excite", "vocoder", "resnext", "pose",
]  # fmt: skip

KINDS = ["int8", "int8_float_ends", "int16", "float32"]
